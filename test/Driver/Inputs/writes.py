# writes.py COMMAND...: runs it with a datagram socket as standard error, which
# keeps writes apart, and prints the first line of each with a bar behind it.
import socket
import subprocess
import sys

here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
done = subprocess.run(sys.argv[1:], stderr=there)
there.close()
here.setblocking(False)
try:
    while True:
        print(here.recv(1 << 20).decode().split('\n')[0] + '|')
except BlockingIOError:
    pass
except ConnectionResetError:
    pass
sys.exit(done.returncode)
