/* Calls that change what is under a folder, counted and interrupted.

Preloaded into a process (LD_PRELOAD), this stands before the C library's functions that open for writing, write, flush,
truncate, rename, link, make and remove. Calls on paths and descriptors under a folder are numbered; at the one that was
asked for, the process is killed (before it, or in the middle of a write), stopped, or told that the disk is full.

The numbers live in a file that is mapped by all processes concerned, whose name is given to
use_killpoints, or stands in KILLPOINTS when a process begins: see kill.py for its layout. What calls the kernel without the C library is not seen. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { OPEN, MKDIR, RENAME, LINK, UNLINK, RMDIR, WRITE, FSYNC, TRUNCATE, COPY, KINDS };
enum mode { OFF, COUNT, KILL, TORN, FULL, STOP };

struct control {
    long mode, target, total, counts[16];
    char root[2048];
};

static struct control *control;

void use_killpoints(const char *path) {
    int fd = syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
    if (fd < 0) return;
    void *found = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (found != MAP_FAILED) control = found;
    close(fd);
}

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("KILLPOINTS");
    if (path) use_killpoints(path);
}

static int under(const char *path) {
    size_t length = strlen(control->root);
    return !strncmp(path, control->root, length) && (path[length] == '/' || !path[length]);
}

static int fd_is_ours(int fd) {
    char link[64], path[PATH_MAX + 1];
    if (!control || !control->mode) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, PATH_MAX);
    if (length < 0) return 0;
    path[length] = 0;
    return under(path);
}

static int path_is_ours(int at, const char *path) {
    char whole[2 * PATH_MAX + 2];
    if (!control || !control->mode || !path) return 0;
    if (path[0] == '/') return under(path);
    if (at == AT_FDCWD) {
        if (!getcwd(whole, PATH_MAX)) return 0;
    } else {
        char link[64];
        snprintf(link, sizeof link, "/proc/self/fd/%d", at);
        ssize_t length = readlink(link, whole, PATH_MAX);
        if (length < 0) return 0;
        whole[length] = 0;
    }
    if (strcmp(path, ".")) {
        strcat(whole, "/");
        strncat(whole, path, PATH_MAX);
    }
    return under(whole);
}

static void die(void) {
    syscall(SYS_kill, getpid(), SIGKILL);
    for (;;) pause();
}

/* Number a call. 1: it is to be interrupted by the caller: half a write and then death, or ENOSPC. */
static int at_point(enum kind kind) {
    long number = __atomic_add_fetch(&control->total, 1, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&control->counts[kind], 1, __ATOMIC_SEQ_CST);
    if (control->mode == FULL) return number >= control->target;
    if (number != control->target) return 0;
    if (control->mode == STOP) syscall(SYS_kill, getpid(), SIGSTOP);
    if (control->mode == KILL) die();
    if (control->mode == TORN && kind == WRITE) return 1;
    if (control->mode == TORN) die();
    return 0;
}

#define REAL(name) \
    static __typeof__(name) *real; \
    if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

/* What needs no space on the disk is done even when that is full. */
#define PLAIN(kind, ours, call) \
    do { \
        if (ours) at_point(kind); \
        return call; \
    } while (0)

#define SPACE(kind, ours, call, failed) \
    do { \
        if ((ours) && at_point(kind)) { \
            errno = ENOSPC; \
            return failed; \
        } \
        return call; \
    } while (0)

/* half: the same call with half of what is to be written. */
#define WRITES(fd, call, half) \
    do { \
        if (fd_is_ours(fd) && at_point(WRITE)) { \
            if (control->mode == TORN) { \
                if (half < 0) errno = 0; \
                die(); \
            } \
            errno = ENOSPC; \
            return -1; \
        } \
        return call; \
    } while (0)

static int opens_for_writing(int flags) { return (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)); }

#define OPENS(name) \
    int name(const char *path, int flags, ...) { \
        REAL(name); \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = va_arg(rest, int); \
        va_end(rest); \
        int creates = (flags & O_CREAT) && syscall(SYS_faccessat, AT_FDCWD, path, F_OK) != 0; \
        if (opens_for_writing(flags) && path_is_ours(AT_FDCWD, path) && at_point(OPEN) && creates) { \
            errno = ENOSPC; \
            return -1; \
        } \
        return real(path, flags, mode); \
    }
OPENS(open)
OPENS(open64)

#define OPENS_AT(name) \
    int name(int at, const char *path, int flags, ...) { \
        REAL(name); \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = va_arg(rest, int); \
        va_end(rest); \
        int creates = (flags & O_CREAT) && syscall(SYS_faccessat, at, path, F_OK) != 0; \
        if (opens_for_writing(flags) && path_is_ours(at, path) && at_point(OPEN) && creates) { \
            errno = ENOSPC; \
            return -1; \
        } \
        return real(at, path, flags, mode); \
    }
OPENS_AT(openat)
OPENS_AT(openat64)

#define STREAMS(name) \
    FILE *name(const char *path, const char *mode) { \
        REAL(name); \
        if (mode && mode[0] != 'r' && path_is_ours(AT_FDCWD, path) && at_point(OPEN)) { \
            errno = ENOSPC; \
            return NULL; \
        } \
        return real(path, mode); \
    }
STREAMS(fopen)
STREAMS(fopen64)

ssize_t write(int fd, const void *from, size_t count) {
    REAL(write);
    WRITES(fd, real(fd, from, count), real(fd, from, count / 2));
}
ssize_t pwrite(int fd, const void *from, size_t count, off_t where) {
    REAL(pwrite);
    WRITES(fd, real(fd, from, count, where), real(fd, from, count / 2, where));
}
ssize_t pwrite64(int fd, const void *from, size_t count, off64_t where) {
    REAL(pwrite64);
    WRITES(fd, real(fd, from, count, where), real(fd, from, count / 2, where));
}
ssize_t writev(int fd, const struct iovec *parts, int count) {
    REAL(writev);
    WRITES(fd, real(fd, parts, count), real(fd, parts, count / 2));
}
size_t fwrite(const void *from, size_t size, size_t count, FILE *stream) {
    REAL(fwrite);
    if (stream && fd_is_ours(fileno(stream)) && at_point(WRITE)) {
        if (control->mode == TORN) {
            real(from, size, count / 2, stream);
            fflush(stream);
            die();
        }
        errno = ENOSPC;
        return 0;
    }
    return real(from, size, count, stream);
}
ssize_t sendfile(int out, int in, off_t *offset, size_t count) {
    REAL(sendfile);
    SPACE(COPY, fd_is_ours(out), real(out, in, offset, count), -1);
}
ssize_t sendfile64(int out, int in, off64_t *offset, size_t count) {
    REAL(sendfile64);
    SPACE(COPY, fd_is_ours(out), real(out, in, offset, count), -1);
}
ssize_t copy_file_range(int in, off64_t *from, int out, off64_t *to, size_t count, unsigned flags) {
    REAL(copy_file_range);
    SPACE(COPY, fd_is_ours(out), real(in, from, out, to, count, flags), -1);
}
int fsync(int fd) {
    REAL(fsync);
    PLAIN(FSYNC, fd_is_ours(fd), real(fd));
}
int fdatasync(int fd) {
    REAL(fdatasync);
    PLAIN(FSYNC, fd_is_ours(fd), real(fd));
}
int ftruncate(int fd, off_t length) {
    REAL(ftruncate);
    PLAIN(TRUNCATE, fd_is_ours(fd), real(fd, length));
}
int ftruncate64(int fd, off64_t length) {
    REAL(ftruncate64);
    PLAIN(TRUNCATE, fd_is_ours(fd), real(fd, length));
}
int truncate(const char *path, off_t length) {
    REAL(truncate);
    PLAIN(TRUNCATE, path_is_ours(AT_FDCWD, path), real(path, length));
}
int truncate64(const char *path, off64_t length) {
    REAL(truncate64);
    PLAIN(TRUNCATE, path_is_ours(AT_FDCWD, path), real(path, length));
}
int posix_fallocate(int fd, off_t from, off_t length) {
    REAL(posix_fallocate);
    SPACE(TRUNCATE, fd_is_ours(fd), real(fd, from, length), ENOSPC);
}
int posix_fallocate64(int fd, off64_t from, off64_t length) {
    REAL(posix_fallocate64);
    SPACE(TRUNCATE, fd_is_ours(fd), real(fd, from, length), ENOSPC);
}
int fallocate(int fd, int mode, off_t from, off_t length) {
    REAL(fallocate);
    SPACE(TRUNCATE, fd_is_ours(fd), real(fd, mode, from, length), -1);
}
int fallocate64(int fd, int mode, off64_t from, off64_t length) {
    REAL(fallocate64);
    SPACE(TRUNCATE, fd_is_ours(fd), real(fd, mode, from, length), -1);
}
int rename(const char *from, const char *to) {
    REAL(rename);
    PLAIN(RENAME, path_is_ours(AT_FDCWD, to), real(from, to));
}
int renameat(int at, const char *from, int to_at, const char *to) {
    REAL(renameat);
    PLAIN(RENAME, path_is_ours(to_at, to), real(at, from, to_at, to));
}
int renameat2(int at, const char *from, int to_at, const char *to, unsigned flags) {
    REAL(renameat2);
    PLAIN(RENAME, path_is_ours(to_at, to), real(at, from, to_at, to, flags));
}
int link(const char *from, const char *to) {
    REAL(link);
    SPACE(LINK, path_is_ours(AT_FDCWD, to), real(from, to), -1);
}
int linkat(int at, const char *from, int to_at, const char *to, int flags) {
    REAL(linkat);
    SPACE(LINK, path_is_ours(to_at, to), real(at, from, to_at, to, flags), -1);
}
int unlink(const char *path) {
    REAL(unlink);
    PLAIN(UNLINK, path_is_ours(AT_FDCWD, path), real(path));
}
int unlinkat(int at, const char *path, int flags) {
    REAL(unlinkat);
    PLAIN(flags & AT_REMOVEDIR ? RMDIR : UNLINK, path_is_ours(at, path), real(at, path, flags));
}
int mkdir(const char *path, mode_t mode) {
    REAL(mkdir);
    SPACE(MKDIR, path_is_ours(AT_FDCWD, path), real(path, mode), -1);
}
int mkdirat(int at, const char *path, mode_t mode) {
    REAL(mkdirat);
    SPACE(MKDIR, path_is_ours(at, path), real(at, path, mode), -1);
}
int rmdir(const char *path) {
    REAL(rmdir);
    PLAIN(RMDIR, path_is_ours(AT_FDCWD, path), real(path));
}
