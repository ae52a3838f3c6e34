# @name wordcloud
from wordcloud import WordCloud

words = "cell graph cache store result table chart kernel stale fresh plot frame notebook run key value".split()
WordCloud(width=560, height=240, random_state=2).fit_words({word: 5 + at for at, word in enumerate(words)}).to_image()
