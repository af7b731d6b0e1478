// Stands in for HIP's library of some version when the test program is linked; never loaded.
extern "C" int hipMalloc(void**, unsigned long) {
  return -1;
}
extern "C" int hipFree(void*) {
  return -1;
}
extern "C" int hipPointerGetAttributes(void*, const void*) {
  return -1;
}
extern "C" int hipGetDevicePropertiesR0600(void*, int) {
  return -1;
}
extern "C" int hipGraphCreate(void**, unsigned) {
  return -1;
}
extern "C" int hipGraphAddEmptyNode(void**, void*, void* const*, unsigned long) {
  return -1;
}
extern "C" int hipGraphNodeGetType(void*, int*) {
  return -1;
}
