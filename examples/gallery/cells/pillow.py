# @name pillow
from PIL import Image, ImageDraw

picture = Image.new("RGB", (480, 160), "#f4f1ea")
pen = ImageDraw.Draw(picture)
for at, color in enumerate(("#4c78a8", "#f58518", "#54a24b", "#e45756")):
    pen.ellipse((30 + at * 105, 30, 130 + at * 105, 130), fill=color)
picture
