# @name verdict
# @system You read tables. Answer with what the numbers say and nothing else.
# @output_schema {"type": "object", "properties": {"busiest": {"type": "string"}, "mean": {"type": "number"}}, "required": ["busiest", "mean"]}
# @validate_retries 2
Which weekday is the busiest, and how many visitors come on a day on average?

All days together:
{{ visits.describe() }}

The days:
{{ visits }}
