"""What docs/cluster.md shows, works, as far as it can without a cluster."""

import re
import subprocess
import sys
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "cluster.md").read_text()
FIRST, SLURM = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def run(code, folder):
    (folder / "script.py").write_text(code)
    return subprocess.run(
        [sys.executable, "script.py"], cwd=folder, capture_output=True, text=True, check=False
    )


def test_a_local_cluster(tmp_path):
    loopback = """
        told = executor.client.scheduler_info()
        assert told["address"].startswith("tcp://127.0.0.1:"), told
        assert all(address.startswith("tcp://127.0.0.1:") for address in told["workers"])
        assert executor.workers == 1
"""
    code = FIRST.replace("1000", "8, block=8").replace("xor()", "xor(epochs=3)")
    code = code.replace('"local:2"', '"local:1"') + loopback
    done = run(code + '    print(table.height, "rows")\n', tmp_path)
    assert done.stdout == "8 rows\n", done.stderr
    assert done.stderr == ""
    assert (tmp_path / "results" / "store" / "store.json").exists()


def test_the_slurm_script(tmp_path):
    """What is submitted: a job of sixteen workers with one thread each."""
    given = 'walltime="04:00:00"'
    assert given in SLURM
    local = 'scheduler_options={"host": "127.0.0.1", "dashboard_address": "127.0.0.1:0"}'
    code = SLURM.replace(given, f"{given}, {local}").partition("    jobs.scale")[0]
    done = run(code + "    print(jobs.job_script())\n    jobs.close()\n", tmp_path)
    assert "#SBATCH --cpus-per-task=16" in done.stdout, done.stderr
    assert "#SBATCH -t 04:00:00" in done.stdout
    assert re.search(r"dask_worker tcp://127.0.0.1:\d+ .*--nthreads 1 .*--nworkers 16", done.stdout)
