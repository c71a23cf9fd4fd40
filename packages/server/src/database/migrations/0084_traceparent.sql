-- A message takes the trace of the request that caused it to its subscribers, if it is traced.

alter table outbox add column traceparent text;
