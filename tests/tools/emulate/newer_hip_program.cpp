// A program as HIP 7 builds it, with the parts of its binary interface that differ from HIP 5.
#include <cstdio>
#include <cstring>

extern "C" int hipMalloc(void**, unsigned long);
extern "C" int hipFree(void*);
extern "C" int hipPointerGetAttributes(void*, const void*);
extern "C" int hipGetDevicePropertiesR0600(void*, int);

int main() {
  char properties[1472];
  if (hipGetDevicePropertiesR0600(properties, 0) != 0) return 1;
  void* memory = nullptr;
  if (hipMalloc(&memory, 64) != 0) return 2;
  int attributes[16] = {};
  if (hipPointerGetAttributes(attributes, memory) != 0) return 3;
  if (hipFree(memory) != 0) return 4;
  int compute_units = 0;
  std::memcpy(&compute_units, properties + 388, sizeof(int));
  std::printf("%s, %d CUs, memory type %d\n", properties, compute_units, attributes[0]);
}
