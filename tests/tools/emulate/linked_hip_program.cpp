// A program as HIP 5, 6 or 7 builds it, with parts of its binary interface in which they differ.
#include <cstdio>
#include <cstring>

extern "C" int hipMalloc(void**, unsigned long);
extern "C" int hipFree(void*);
extern "C" int hipPointerGetAttributes(void*, const void*);
extern "C" int hipGetDevicePropertiesR0600(void*, int);
extern "C" int hipGraphCreate(void**, unsigned);
extern "C" int hipGraphAddEmptyNode(void**, void*, void* const*, unsigned long);
extern "C" int hipGraphNodeGetType(void*, int*);

int main() {
  char properties[1472];
  if (hipGetDevicePropertiesR0600(properties, 0) != 0) return 1;
  void* memory = nullptr;
  if (hipMalloc(&memory, 64) != 0) return 2;
  int attributes[16] = {};
  if (hipPointerGetAttributes(attributes, memory) != 0) return 3;
  if (hipFree(memory) != 0) return 4;
  void* graph = nullptr;
  void* node = nullptr;
  int node_type = -1;
  if (hipGraphCreate(&graph, 0) != 0 || hipGraphAddEmptyNode(&node, graph, nullptr, 0) != 0) return 5;
  if (hipGraphNodeGetType(node, &node_type) != 0) return 6;
  int compute_units = 0;
  std::memcpy(&compute_units, properties + 388, sizeof(int));
  std::printf("%s, %d CUs, memory type %d, node type %d\n", properties, compute_units, attributes[0],
              node_type);
}
