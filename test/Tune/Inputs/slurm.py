# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# slurm.py FOLDER COMMAND...: runs a command beside a Slurm of its own: munged,
# slurmctld and slurmd, on the loopback, with their files in FOLDER, and one node
# with two GPUs, which are any two devices. All of it is ended with the command.
# Prints what is in the queue then, and which processes are left in the end.
import ctypes
import os
import shutil
import signal
import socket
import subprocess
import sys
import time

PATIENCE = 30
PR_SET_CHILD_SUBREAPER = 36
CONFIGURATION = """\
ClusterName=kpipe
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
CryptoType=crypto/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
MailProg=/bin/true
ProctrackType=proctrack/linuxproc
SlurmdParameters=config_overrides
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu
NodeName={host} NodeAddr=127.0.0.1 CPUs=8 Gres=gpu:2 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES State=UP
"""


def free_ports(number):
    sockets = [socket.socket() for _ in range(number)]
    for s in sockets:
        s.bind(("127.0.0.1", 0))
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


def write(name, text, mode="w"):
    with open(os.path.join(folder, name), mode) as file:
        file.write(text)
    os.chmod(os.path.join(folder, name), 0o600)


def start(*command):
    with open(os.path.join(folder, command[0] + ".out"), "w") as out:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out,
                                stderr=out, start_new_session=True)


def wait_for(what, is_there):
    end = time.monotonic() + PATIENCE
    while not is_there():
        if time.monotonic() > end:
            raise RuntimeError(f"{what} did not come up; see {folder}")
        time.sleep(0.05)


def ask(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True,
                          stderr=subprocess.DEVNULL).stdout


def end_all(daemons):
    """Daemons, and what was theirs and is now a child of this process."""
    for process in daemons:
        process.send_signal(signal.SIGTERM)
    for process in daemons:
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                for child in ask("ps", "-o", "pid=", "--ppid",
                                 str(os.getpid())).split():
                    if os.path.exists(f"/proc/{child}"):
                        os.kill(int(child), signal.SIGKILL)
                time.sleep(0.05)
        except (ChildProcessError, ProcessLookupError):
            break


def survivors():
    """Names of processes of this Slurm's."""
    found = []
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{process}/comm") as name, \
                    open(f"/proc/{process}/environ", "rb") as environment:
                if os.environ["SLURM_CONF"].encode() in environment.read() and \
                        int(process) != os.getpid():
                    found.append(name.read().strip())
        except OSError:
            pass  # it has ended
    return found


ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
folder = os.path.abspath(sys.argv[1])
shutil.rmtree(folder, ignore_errors=True)
for name in ("munge", "state", "spool"):
    os.makedirs(os.path.join(folder, name), mode=0o755)
host = socket.gethostname().split(".")[0]
write("munge.key", os.urandom(128), "wb")
write("slurm.conf", CONFIGURATION.format(host=host, folder=folder,
                                         ports=free_ports(2)))
write("gres.conf", "AutoDetect=off\n" + "".join(
    f"NodeName={host} Name=gpu File=/dev/{device}\n"
    for device in ("null", "zero")))
write("cgroup.conf", "CgroupPlugin=cgroup/v1\n")
os.environ["SLURM_CONF"] = os.path.join(folder, "slurm.conf")
daemons = []
code = 1
try:
    munge = os.path.join(folder, "munge")
    daemons.append(start(
        "munged", "--foreground", "--force", "--key-file=" + folder + "/munge.key",
        f"--socket={munge}/socket", f"--pid-file={munge}/pid",
        f"--log-file={munge}/log", f"--seed-file={munge}/seed"))
    wait_for("munged", lambda: os.path.exists(munge + "/socket"))
    daemons.insert(0, start("slurmctld", "-D"))
    wait_for("slurmctld", lambda: "is UP" in ask("scontrol", "ping"))
    daemons.insert(0, start("slurmd", "-D"))
    wait_for("slurmd", lambda: ask("sinfo", "-h", "-o", "%T") == "idle\n")
    code = subprocess.run(sys.argv[2:]).returncode
    # Jobs that were cancelled take a moment to complete.
    end = time.monotonic() + 10
    while (left := ask("squeue", "-h", "-o", "%i-%T").split()) and \
            time.monotonic() < end:
        time.sleep(0.1)
    print("in the queue:", left, flush=True)
finally:
    end_all(daemons)
    print("left:", survivors(), flush=True)
sys.exit(code)
