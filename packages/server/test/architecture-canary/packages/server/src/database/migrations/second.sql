-- expect below: trigger
create trigger again after insert on tokens for each row execute function touch();
