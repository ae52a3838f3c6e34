# @name altair
import altair as alt

alt.Chart(months, width=520, height=240).mark_line(point=True).encode(x="month:O", y="degrees:Q", color="city:N")
