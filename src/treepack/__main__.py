"""``python -m treepack``: the same as the command ``treepack``."""

from treepack.cli import main

if __name__ == "__main__":
    main()
