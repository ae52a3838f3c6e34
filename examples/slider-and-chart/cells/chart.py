# @name chart
line_chart(wave, filled)
