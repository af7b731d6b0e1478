// Stands in for HIP 7's library when the test program is linked; never loaded.
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
