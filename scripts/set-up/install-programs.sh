#!/bin/sh
# Installs Debian packages for the tests and leaves the machine otherwise as it was: no service is
# started, no database cluster made. Run as root: install-programs.sh PACKAGE...
set -eu
export DEBIAN_FRONTEND=noninteractive

# invoke-rc.d asks this file before it starts a service; 101 forbids it. An existing file is kept.
policy=/usr/sbin/policy-rc.d
# Debian's PostgreSQL makes and starts a cluster named "main" unless a setting forbids it.
clusters=/etc/postgresql-common/createcluster.d
mark='made by the Gatehouse tests, removed after'

undo() {
  grep -qs "$mark" "$policy" && rm -f "$policy"
  rm -f "$clusters/gatehouse-tests.conf"
}
trap undo EXIT
trap 'exit 143' HUP INT TERM

if [ ! -e "$policy" ]; then
  printf '#!/bin/sh\n# %s\nexit 101\n' "$mark" >"$policy"
  chmod 755 "$policy"
fi
mkdir -p "$clusters"
printf '# %s\ncreate_main_cluster = false\n' "$mark" >"$clusters/gatehouse-tests.conf"

apt-get update -q
apt-get install -q -y --no-install-recommends -o DPkg::Lock::Timeout=300 "$@"
