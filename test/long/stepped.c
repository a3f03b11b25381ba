/*
 * A library for LD_PRELOAD that shifts a process's clock by the number of seconds in a file, $STEPS/workerd or
 * $STEPS/others. ClickHouse and other programs call the kernel's own library, so its functions are redirected here.
 * This works only on x86-64.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t *step;

static int own_clock_gettime(clockid_t clock, struct timespec *now) {
  long failed = syscall(SYS_clock_gettime, clock, now);
  if (failed) return -errno;
  if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) now->tv_sec += *step;
  return 0;
}

static int own_gettimeofday(struct timeval *now, void *zone) {
  struct timespec found;
  (void)zone;
  own_clock_gettime(CLOCK_REALTIME, &found);
  if (now) *now = (struct timeval){found.tv_sec, found.tv_nsec / 1000};
  return 0;
}

static time_t own_time(time_t *result) {
  struct timespec found;
  own_clock_gettime(CLOCK_REALTIME, &found);
  if (result) *result = found.tv_sec;
  return found.tv_sec;
}

/* Makes the kernel's library writable. Its protection can only be changed as a whole. */
static void open_library(void) {
  char line[512];
  uintptr_t first = 0, end = 0;
  FILE *maps = fopen("/proc/self/maps", "r");
  while (maps && fgets(line, sizeof line, maps) && !(strstr(line, "[vdso]") && sscanf(line, "%lx-%lx", &first, &end)));
  if (!first || mprotect((void *)first, end - first, PROT_READ | PROT_WRITE | PROT_EXEC)) abort();
  fclose(maps);
}

/* Writes `movabs $own, %rax; jmp *%rax` over the beginning of a function. */
static void redirect(void *library, const char *name, void *own) {
  unsigned char jump[12] = {0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xe0};
  uint8_t *function = dlsym(library, name);
  if (!function) abort();
  memcpy(jump + 2, &own, sizeof own);
  memcpy(function, jump, sizeof jump);
}

__attribute__((constructor)) static void begin(void) {
  char path[4096];
  int isWorkerd = !strcmp(program_invocation_short_name, "workerd");
  snprintf(path, sizeof path, "%s/%s", getenv("STEPS"), isWorkerd ? "workerd" : "others");
  int file = open(path, O_RDONLY);
  step = mmap(NULL, sizeof *step, PROT_READ, MAP_SHARED, file, 0);
  if (step == MAP_FAILED) abort();
  close(file);
  open_library();
  void *kernels = dlopen("linux-vdso.so.1", RTLD_LAZY | RTLD_NOLOAD);
  redirect(kernels, "__vdso_clock_gettime", own_clock_gettime);
  redirect(kernels, "__vdso_gettimeofday", own_gettimeofday);
  redirect(kernels, "__vdso_time", own_time);
}
