"""Runs the code cells of a notebook, as Jupyter would, in the present folder.

Prints the outputs of all cells as JSON. With --write they are stored in the notebook, as its reader sees them.
"""

import ast
import base64
import io
import json
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402


def run(source, names):
    """Runs a cell. Returns the value of its last expression, if it ends with one."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    return None if last is None else eval(compile(ast.Expression(last.value), "cell", "eval"), names)


def pictures():
    for number in plt.get_fignums():
        picture = io.BytesIO()
        figure = plt.figure(number)
        figure.savefig(picture, format="png", dpi=80, bbox_inches="tight", metadata={"Software": None})
        plt.close(figure)
        data = {"image/png": base64.b64encode(picture.getvalue()).decode()}
        yield {"output_type": "display_data", "data": data, "metadata": {}}


def main():
    path = sys.argv[1]
    with open(path, encoding="utf-8") as file:
        notebook = json.load(file)
    names = {}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for count, cell in enumerate(cells, 1):
        value = run("".join(cell["source"]), names)
        cell["execution_count"] = count
        cell["outputs"] = list(pictures())
        if value is not None:
            shown = {"text/plain": str(value).splitlines(True)}
            result = {"output_type": "execute_result", "execution_count": count, "data": shown, "metadata": {}}
            cell["outputs"].append(result)
    if "--write" in sys.argv:
        with open(path, "w", encoding="utf-8") as file:
            file.write(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")
    print(json.dumps([cell["outputs"] for cell in cells]))


main()
