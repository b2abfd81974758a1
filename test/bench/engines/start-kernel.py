"""Starts a kernel for each line of standard input, and prints the time until its first output."""

import subprocess
import sys
import time

from jupyter_client.manager import start_new_kernel

for line in sys.stdin:
    began = time.perf_counter()
    manager, client = start_new_kernel(
        kernel_name="bench", stderr=subprocess.DEVNULL
    )
    client.execute("print(1)")
    while client.get_iopub_msg()["header"]["msg_type"] != "stream":
        pass
    print((time.perf_counter() - began) * 1000, flush=True)
    client.get_shell_msg()
    client.stop_channels()
    manager.shutdown_kernel(now=True)
