"""What a Dask worker of these tests does first: it notes what it writes, and may be odd.

Environment: WRITES, a file to which the names of written parts are added; SLOW, seconds that each
block takes longer; VERSION, another version of this package; DEVICE, another kind of device.
"""

import os
import time

from orderedness.study import setting, worker
from orderedness.study.folder import Folder


def dask_setup(dask_worker):
    """Called by Dask, once."""
    really_put, really_compute = Folder.put, worker.compute

    def put(folder, name, data):
        really_put(folder, name, data)
        if name.endswith(".parquet"):
            note = os.open(os.environ["WRITES"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
            os.write(note, f"{name}\n".encode())
            os.close(note)

    def compute(blocks, record):
        for found in really_compute(blocks, record):
            time.sleep(float(os.environ.get("SLOW", "0")))
            yield found

    Folder.put, worker.compute = put, compute
    if "VERSION" in os.environ:
        setting.__version__ = os.environ["VERSION"]
    if "DEVICE" in os.environ:
        setting._device = lambda: os.environ["DEVICE"]
