"""Starts a kernel, prints its process id, and runs each line of standard input, a JSON text."""

import json
import subprocess
import sys

from jupyter_client.manager import start_new_kernel

manager, client = start_new_kernel(
    kernel_name="python3", stderr=subprocess.DEVNULL
)
print(manager.provisioner.pid, flush=True)
for line in sys.stdin:
    client.execute(json.loads(line))
    while client.get_iopub_msg()["header"]["msg_type"] != "stream":
        pass
    print("done", flush=True)
    client.get_shell_msg()
client.stop_channels()
manager.shutdown_kernel(now=True)
