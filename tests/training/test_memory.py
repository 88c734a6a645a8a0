"""A process keeps the memory that it has freed."""

import subprocess
import sys

import pytest

pytest.importorskip("torch")

# In a process of its own, since it is for good. 64 MB are asked for again and again, and cleared by the system anew as
# long as they are given back.
PROGRAM = """
import resource, torch
from nutgraf.training.memory import keep_freed_memory

def faults_of_a_block():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    torch.zeros(1 << 24)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

given_back = sum(faults_of_a_block() for _ in range(20))
done = keep_freed_memory()
torch.zeros(1 << 26)
kept = sum(faults_of_a_block() for _ in range(20))
print(done, given_back, kept)
"""


def test_a_block_that_was_freed_is_had_again_without_the_system():
    printed = subprocess.run([sys.executable, "-c", PROGRAM], check=True, capture_output=True, text=True).stdout
    done, given_back, kept = printed.split()
    if done == "False":
        pytest.skip("not glibc's allocator")
    assert int(kept) < int(given_back) / 2
