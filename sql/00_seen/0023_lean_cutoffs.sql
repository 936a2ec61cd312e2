-- True where what a settlement ends at is the end of a run, which outweighs any other place only near the usual lag.
alter table lake.carried.kept_candidate
add column is_lean boolean;
