#!/usr/bin/env bash
# slurm_test.sh POSENC: scripts/sweep.sbatch under a real Slurm of its own: controller, one node and munge on loopback,
# everything in a temporary folder. A task is requeued and another one's process killed midway; the merged results are
# those of one process. A Slurm or munge of the machine is not touched. Skipped (77) where Slurm cannot be started (no
# root, no slurm-wlm or munge), unless CI is set.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
POSENC=$(readlink -f "$1")
export POSENC
sbatch_file=$(readlink -f "$here/../../scripts/sweep.sbatch")
SECONDS=0
limit=480 # seconds for the whole; nothing that is started here lives longer

fail() {
  echo "FAILED after $SECONDS s: $*" >&2
  tail -n 15 "${scratch:-/nonexistent}"/*.log "${scratch:-/nonexistent}"/jobs/*.log >&2 2>/dev/null || true
  exit 1
}

# refuses WORDS VARIABLE=VALUE... ARGUMENT: the file, started as Slurm would, exits 2 with these words
refuses() {
  local said status=0
  said=$(env "${@:2}" 2>&1) || status=$?
  [[ $status == 2 && $said == *"$1"* ]] || fail "exit code $status instead of 2, or not '$1': $said"
}
for name in "${!SLURM_@}" "${!SBATCH_@}" "${!SQUEUE_@}" "${!SCANCEL_@}" "${!POSENC_@}"; do unset "$name"; done
task=(SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=4 SLURM_ARRAY_TASK_COUNT=4)
refuses "not a task" bash "$sbatch_file" out
refuses "no folder" "${task[@]}" bash "$sbatch_file" --seed 1
refuses "from 0 to 3 are not 1 to 4" "${task[@]}" SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=3 bash "$sbatch_file" out
refuses "from 1 to 7 are not 1 to 4" "${task[@]}" SLURM_ARRAY_TASK_MAX=7 bash "$sbatch_file" out
refuses "index 3 is not one of the shards 1 to 2" "${task[@]}" POSENC_SHARDS=2 bash "$sbatch_file" out
refuses "POSENC_SHARDS is not" "${task[@]}" POSENC_SHARDS=many bash "$sbatch_file" out
refuses "POSENC is not a program" "${task[@]}" POSENC=/nonexistent bash "$sbatch_file" out
refuses "no posenc" -u POSENC "${task[@]}" SLURM_SUBMIT_DIR=/nonexistent bash "$sbatch_file" out

# A folder on a file system without locks (flock then exits 71) is not one that is in use: posenc is called at once.
bare=$(mktemp -d)
mkdir -p "$bare/out/shard-3" "$bare/bin"
touch "$bare/out/shard-3/lock"
printf '#!/bin/sh\nexit 71\n' >"$bare/bin/flock"
chmod +x "$bare/bin/flock"
said=$(env "${task[@]}" POSENC=/bin/echo PATH="$bare/bin:$PATH" bash "$sbatch_file" "$bare/out" 2>&1) || true
rm -rf "$bare"
[[ $said != *"in use"* && $said == *"sweep --shard 3/4"* ]] || fail "a file system without locks: $said"

missing=""
((EUID == 0)) || missing+=" root"
for program in munged slurmctld slurmd sbatch scontrol squeue scancel flock; do
  command -v "$program" >/dev/null || missing+=" $program"
done
id -u munge >/dev/null 2>&1 || missing+=" user-munge"
if [[ -n $missing ]]; then
  [[ -z ${CI:-} ]] || fail "Slurm cannot be started, for want of:$missing"
  echo "skipped: Slurm cannot be started, for want of:$missing (packages slurm-wlm and munge)"
  exit 77
fi

scratch=$(mktemp -d)
chmod 755 "$scratch" # munged runs as another user
export SLURM_CONF=$scratch/slurm.conf

# All that was started here, daemons and jobs, has this SLURM_CONF in its environment; nothing else on the machine has.
our_processes() {
  local environment
  for environment in /proc/[0-9]*/environ; do
    if grep -qsFz "SLURM_CONF=$SLURM_CONF" "$environment"; then basename "$(dirname "$environment")"; fi
  done
}
clean_up() {
  local pids signal=TERM
  trap '' INT TERM
  timeout 10 scancel --quiet --user=root >/dev/null 2>&1 || true
  for _ in {1..50}; do
    mapfile -t pids < <(our_processes)
    ((${#pids[@]})) || break
    kill -"$signal" "${pids[@]}" 2>/dev/null || true
    signal=0 # once; then only ask
    sleep 0.1
  done
  kill -KILL "${pids[@]}" 2>/dev/null || true
  rm -rf "$scratch"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# until_true WHAT SECONDS COMMAND...
until_true() {
  local what=$1 end=$((SECONDS + $2))
  until "${@:3}"; do
    ((SECONDS < end && SECONDS < limit)) || fail "in vain: waiting for $what"
    sleep 0.2
  done
}
quick() { timeout --kill-after=2 20 "$@"; }
daemon() { timeout --kill-after=5 "$limit" "${@:2}" >>"$scratch/$1.log" 2>&1 </dev/null & }

free_port() {
  local port
  while true; do
    port=$((20000 + RANDOM % 10000))
    (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
  done
  echo "$port"
}

# A munge of its own: socket and key in the temporary folder.
mkdir -m 755 "$scratch/munge" "$scratch/state" "$scratch/spool" "$scratch/jobs"
head -c 256 /dev/urandom >"$scratch/munge/key"
chmod 600 "$scratch/munge/key"
chown -R munge "$scratch/munge"
daemon munged setpriv --reuid=munge --regid="$(id -g munge)" --clear-groups munged --foreground \
  --socket="$scratch/munge/socket" --key-file="$scratch/munge/key" --pid-file="$scratch/munge/pid" \
  --seed-file="$scratch/munge/seed" --log-file="$scratch/munge/log" --num-threads=2
until_true munged 30 test -S "$scratch/munge/socket"

host=$(hostname -s)
cat >"$SLURM_CONF" <<END
ClusterName=posenc-test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
AuthType=auth/munge
AuthInfo=socket=$scratch/munge/socket
CredType=cred/munge
StateSaveLocation=$scratch/state
SlurmdSpoolDir=$scratch/spool
SlurmctldPidFile=$scratch/slurmctld.pid
SlurmdPidFile=$scratch/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=bf_interval=2,sched_min_interval=0
JobRequeue=0
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
daemon slurmctld slurmctld -D -i
daemon slurmd slurmd -D -N "$host"
node_is_idle() { [[ $(quick sinfo --noheader --format=%t 2>/dev/null) == idle ]]; }
until_true "an idle node" 60 node_is_idle
echo "Slurm is up after $SECONDS s: $(quick sbatch --version)"

cd "$scratch/jobs"
out=$scratch/shards
lines() { if [[ -f $1 ]]; then wc -l <"$1"; else echo 0; fi; }
state_of() { quick scontrol --oneliner show job "$1" | sed -n 's/.*JobState=\([A-Z_]*\).*/\1/p'; }
has_state() { [[ $(state_of "$1") == "$2" ]]; }
midway() { (($(lines "$out/shard-$1/runs.jsonl") >= 1)); }

job=$(quick sbatch --parsable --array=1-4 "$sbatch_file" "$out" --config "$here/sweep.toml") || fail "sbatch"

# Task 2 is requeued, as it is when it is preempted. Slurm then lets it wait for two minutes; not here.
until_true "a first run of shard 2" 120 midway 2
quick scontrol requeue "${job}_2" || fail "task 2 cannot be requeued"
start_now() { quick scontrol update "JobId=${job}_2" StartTime=now >/dev/null 2>&1 && ! has_state "${job}_2" COMPLETING; }
until_true "task 2 to be pending again" 60 start_now
before=$(lines "$out/shard-2/runs.jsonl")
cp "$out/shard-2/runs.jsonl" "$scratch/before.jsonl"
((before < 6)) || fail "task 2 was requeued too late to mean something"
grep -q terminated "posenc-sweep-${job}_2.log" || fail "task 2 did not end by SIGTERM"

# The process of task 1 is killed; its index alone is submitted again, while somebody still holds the folder for a while.
until_true "a first run of shard 1" 120 midway 1
[[ $(<"$out/shard-1/lock") =~ ^process\ ([0-9]+)\ on ]] || fail "the lock does not say who holds it"
pid=${BASH_REMATCH[1]}
[[ $(readlink "/proc/$pid/exe") == "$POSENC" ]] || fail "shard 1 is not being trained any more"
kill -KILL "$pid"
until_true "task 1 to fail" 60 has_state "${job}_1" FAILED
(($(lines "$out/shard-1/runs.jsonl") < 6)) || fail "task 1 was killed too late to mean something"
exec 8<"$out/shard-1/lock"
flock 8
again=$(POSENC_SHARDS=4 quick sbatch --parsable --array=1 "$sbatch_file" "$out" --config "$here/sweep.toml") ||
  fail "sbatch of one index"
is_waiting() { grep -qs "is in use; waiting" "posenc-sweep-${again}_1.log"; }
until_true "task 1 to wait for its folder" 240 is_waiting
sleep 1
exec 8<&-

none_left() { [[ -z $(quick squeue --noheader || echo unknown) ]]; }
until_true "the end of all tasks" 400 none_left
for index in "${job}_2" "${job}_3" "${job}_4" "${again}_1"; do
  has_state "$index" COMPLETED || fail "task $index is $(state_of "$index")"
done
echo "all tasks have ended after $SECONDS s"

log=posenc-sweep-${job}_2.log
for start in 1 2; do grep -q "shard 2/4 .* start $start" "$log" || fail "start $start of task 2 is not in its log"; done
grep -q "$before of 6 runs are done already" "$log" || fail "task 2 did not go on where it was"
cmp <(head -n "$before" "$out/shard-2/runs.jsonl") "$scratch/before.jsonl"
for index in 1 2 3 4; do
  (($(lines "$out/shard-$index/runs.jsonl") == 6)) || fail "shard $index does not have each of its runs once"
done

timeout 60 "$POSENC" merge "$out"/shard-* --out "$scratch/merged"
timeout 240 "$POSENC" sweep --config "$here/sweep.toml" --jobs 2 --out "$scratch/one"
"$here/same_results.sh" "$scratch/one" "$scratch/merged" 24
echo "identical to one process's 24 runs, after $SECONDS s"
