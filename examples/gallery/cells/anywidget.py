# @name anywidget
import anywidget
import traitlets


class Counter(anywidget.AnyWidget):
    _esm = """export default { render({ model, el }) {
      const button = document.createElement("button");
      const draw = () => { button.textContent = "count is " + model.get("count"); };
      button.onclick = () => { model.set("count", model.get("count") + 1); model.save_changes(); };
      model.on("change:count", draw); draw(); el.append(button);
    } }"""
    count = traitlets.Int(0).tag(sync=True)


Counter()
