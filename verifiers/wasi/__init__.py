"""The far side of the sandbox's pipe where the kernel gives no walls: CPython inside a WebAssembly virtual machine.

One server process holds one *image*: the memory of an interpreter that has started and imported what programs may
import. Each program gets a *guest*, a fresh instance that begins as that image, and the guest of an input that ended
badly is thrown away. A guest can compute and nothing else: of WASI, the system interface that the interpreter was built
for, it is answered its arguments, one environment variable (the hash seed), a clock that stands still, and "no" to the
rest. It has no files but the standard library inside the image, no handle to open others from, no randomness, no way
to wait. The virtual machine bounds its memory, and a watchdog its CPU time.

The server speaks the protocol of `verifiers.zygote` (`wire`, `pipe`) and calls programs by the same code (`program`,
`surroundings`, `verifiers.codec`), which the guest is given as text.

Limits that are known. The wall is wasmtime: a hole in its compiler is a hole here (on Linux the server also forbids
itself the file system, where Landlock is there). The interpreter is CPython 3.12.0 for 32 bits, and the wheel's was
compiled without optimisation: programs take several times as long as in a native one, on the same `cpu_s`. Some
results differ from another version's: sums of floats, sizes over 2^31, the depth at which recursion through C and
brackets in the source are refused. `wall_s` is not watched, since no guest can wait.
"""
