"""Print the CPU time of the process that runs this one, and of all that it has waited for."""

import os
from pathlib import Path


def main() -> None:
    """Print it in minutes; on systems without /proc, say so."""
    stat = Path(f"/proc/{os.getppid()}/stat")
    if not stat.exists():
        print("CPU time is not known without /proc")
        return
    fields = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
    ticks = sum(int(field) for field in fields[11:15])  # utime, stime, cutime, cstime: proc(5)
    print(f"CPU time of this run: {ticks / os.sysconf('SC_CLK_TCK') / 60:.1f} minutes")


if __name__ == "__main__":
    main()
