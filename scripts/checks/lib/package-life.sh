# Run by scripts/checks/package-test in a root in which systemd runs: package-life.sh STAGE, with the packages in /packages.
# shellcheck shell=bash
set -euo pipefail

password='correct horse battery staple'
data=/var/lib/understudy
settings=/etc/understudy/understudy.yaml

fail() { echo "FAILED: $*" >&2; journalctl --no-pager --lines 20 --unit 'understudy*' >&2 || true; exit 1; }

# expect DESCRIPTION EXPECTED COMMAND…: compares the output of a command.
expect() {
    local description=$1 expected=$2 found
    shift 2
    found=$("$@" 2>&1) || true
    [[ $found == "$expected" ]] || fail "$description: '$found' instead of '$expected'"
    echo "    $description: ${expected:-nothing}"
}

# check DESCRIPTION COMMAND…: requires that a command succeeds.
check() {
    local description=$1
    shift
    "$@" >/dev/null 2>&1 || fail "$description: $*"
    echo "    $description"
}

not() { ! "$@"; }
apt() { apt-get -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends "$@" >/tmp/apt.log 2>&1 || fail "apt-get $*: $(tail /tmp/apt.log)"; }
operator() { sudo -u understudy understudy "$@"; }
main_process() { systemctl show --property MainPID --value understudy.service; }
of_process() { sed -n "s/^$1:\s*//p" "/proc/$(main_process)/status"; }
log_in() {
    curl --silent --fail-with-body --data-urlencode "username=$1" --data-urlencode "password=${2-$password}" \
        http://localhost:8080/login
}
logs_in() { [[ $(log_in "$@") == *goToPage* ]]; }

sign_up() {
    curl --silent --fail -d name=Name -d "email=$1" --data-urlencode "password=$password" http://localhost:8080/signup >/dev/null
}
has_metrics() { [[ $(curl --silent --fail http://127.0.0.1:9090/metrics) == *understudy_requests_total* ]]; }
# Whether the service has the machine's network.
has_network() { [[ $(readlink "/proc/$(main_process)/ns/net") == "$(readlink /proc/1/ns/net)" ]]; }

# Prints the links in the package's documents whose file does not exist.
dead_links() {
    local document link
    # shellcheck disable=SC2016
    grep -roP '\]\((?![a-z]+:|#)\K[^)#]+' --include='*.md*' /usr/share/doc/understudy | while IFS=: read -r document link; do
        [[ -e ${document%/*}/$link ]] || echo "$document: $link"
    done
}

is_served() {
    check "GET /livez" curl --silent --fail http://localhost:8080/livez
    expect "the socket" active systemctl is-active understudy.socket
    expect "the service" active systemctl is-active understudy.service
}

life_install() {
    apt install /packages/old.deb
    # Before all other requests: the installation alone starts the server.
    is_served
    expect "the units that start with the machine" $'enabled\nenabled\ndisabled' \
        systemctl is-enabled understudy.socket understudy.service understudy-metrics.socket
    expect "the user" "$data:/usr/sbin/nologin" sh -c 'getent passwd understudy | cut -d: -f6,7'
    expect "the data folder" "700 understudy:understudy" stat -c '%a %U:%G' $data
    expect "the database" "600 understudy:understudy" stat -c '%a %U:%G' $data/understudy.sqlite
    expect "the configuration file" "644 root:root" stat -c '%a %U:%G' $settings
    expect "the program" "755 root:root" stat -c '%a %U:%G' /usr/bin/understudy
    expect "the conffiles" " $settings" \
        sh -c "dpkg-query -W -f '\${Conffiles}\n' understudy | grep . | cut -d' ' -f1,2 | sort"
    expect "the configuration file is the template" "" sh -c "understudy config --template | diff - $settings"
    check "bash reads the completions" bash -n /usr/share/bash-completion/completions/understudy
    local subcommand
    for subcommand in '' -serve -config -account -account-add -products -backup -healthcheck -openapi -graph -replay -init; do
        [[ -e /usr/share/man/man1/understudy$subcommand.1.gz ]] || fail "there is no manual page understudy$subcommand(1)"
    done
    check "the documents" test -s /usr/share/doc/understudy/docs/settings.md
    expect "links in documents that lead nowhere" "" dead_links
    expect "listening addresses" "0100007F:1F90" \
        sh -c "awk '\$4 == \"0A\" { print \$2 }' /proc/net/tcp /proc/net/tcp6"

    # The sandbox, as the kernel sees it.
    local id process
    id=$(id -u understudy) process=$(main_process)
    expect "its user" "$id $id $id $id" sh -c "sed -n 's/^Uid:\s*//p' /proc/$process/status | tr '\t' ' '"
    expect "its capabilities" "0000000000000000 0000000000000000" \
        sh -c "sed -nE 's/^Cap(Bnd|Eff):\s*//p' /proc/$process/status | paste -sd' '"
    expect "no new privileges" 1 of_process NoNewPrivs
    expect "a system call filter" 2 of_process Seccomp
    for kind in mnt user; do
        [[ $(readlink "/proc/$process/ns/$kind") != "$(readlink "/proc/1/ns/$kind")" ]] || fail "no $kind namespace"
    done
    check "it has a network of its own" not has_network
    check "it cannot write to /etc" not nsenter --target "$process" --mount touch /etc/understudy/new
    check "it can write to its folder" nsenter --target "$process" --mount test -w $data
    check "the home folders are hidden from it" not nsenter --target "$process" --mount test -r /root/.bashrc
    expect "the most descriptors" "20000" sh -c "awk '/open files/ { print \$5 }' /proc/$process/limits"
}

life_use() {
    expect "an account is added" "Added the account 'lisa@rules.example'." \
        operator account add --email lisa@rules.example --name Lisa <<<"$password"
    check "it logs in" logs_in lisa@rules.example
    check "it does not log in with another password" not logs_in lisa@rules.example "another password"
    sign_up homer@rules.example
    check "a user who signed up logs in" logs_in homer@rules.example
    expect "the accounts" $'homer@rules.example\nlisa@rules.example' \
        sh -c "sudo -u understudy understudy account list | tail -n +2 | cut -d' ' -f1"
    check "the audit log has the logins" sh -c "sudo -u understudy understudy audit export | grep -q '\"event\":\"login\"'"
    check "the journal has the logins" sh -c "journalctl -u understudy | grep -q '\"Audit\".*\"event\":\"login\"'"

    systemctl enable --quiet understudy-metrics.socket
    systemctl restart understudy.service
    check "the metrics" has_metrics
    systemctl stop understudy.socket understudy.service
    check "who reads the metrics does not start it again" not has_metrics
    expect "the units" $'inactive\ninactive\ninactive' \
        systemctl is-active understudy.socket understudy.service understudy-metrics.socket
    systemctl start understudy.socket understudy.service
    is_served
    check "the metrics again" has_metrics

    echo 'session-idle: 30' >>$settings
    check "an invalid setting is an error" not systemctl restart understudy.service
    check "a client is not kept waiting" not curl --silent --max-time 20 http://localhost:8080/livez
    expect "the units" $'failed\nfailed' systemctl is-active understudy.socket understudy.service
    sed -i '/^session-idle: 30$/d' $settings
    systemctl restart understudy.service
    is_served
    check "the metrics of the corrected service" has_metrics
    expect "root gets no database of its own" \
        "error: Root's database is not the service's: use 'sudo -u understudy', or give '--data' or '--database'." \
        understudy account list

    sed -i 's/^#drain: 10s$/drain: 9s/' $settings
    systemctl restart understudy.service
    expect "a setting of the file" "drain 9s file" sh -c "sudo -u understudy understudy config | awk '/^drain / { print \$1, \$2, \$3 }'"
    is_served
    systemctl reload understudy.service
    is_served
}

life_upgrade() {
    local before
    before=$(main_process)
    # Clients that connect continuously, until the file is deleted.
    touch /tmp/asking
    (while [[ -e /tmp/asking ]]; do
        curl --silent --output /dev/null --max-time 20 --write-out '%{http_code}\n' http://localhost:8080/livez || true
        sleep 0.02
    done) >/tmp/answers &
    apt -o Dpkg::Options::=--force-confold install /packages/new.deb
    is_served
    # Twenty more answers, from the new version.
    # shellcheck disable=SC2016  # The inner shell expands it.
    timeout 30 bash -c 'tail --lines="+$1" --follow /tmp/answers | read -r' bash $(($(wc -l </tmp/answers) + 20))
    rm /tmp/asking
    wait
    expect "the answers during the upgrade" 200 sort -u /tmp/answers
    echo "    requests during the upgrade: $(wc -l </tmp/answers)"
    # shellcheck disable=SC2016  # dpkg-query expands it.
    expect "the version" "$(dpkg-deb --field /packages/new.deb Version)" dpkg-query -W -f '${Version}' understudy
    check "the server is another process" test "$(main_process)" != "$before"
    check "the changed configuration file stays" grep -qx 'drain: 9s' $settings
    check "the new one is next to it" grep -q 'newer version' $settings.dpkg-dist
    check "the account logs in" logs_in lisa@rules.example
    check "the other one as well" logs_in homer@rules.example
    check "the metrics" has_metrics
}

life_database() {
    local address=192.0.2.1 drop_in=/etc/systemd/system/understudy.service.d/network.conf
    # An address that a service with a network of its own cannot reach.
    ip address add $address/32 dev lo
    echo "listen_addresses = '$address'" | tee -a /etc/postgresql/*/main/postgresql.conf >/dev/null
    sed -i "1i host all understudy $address/32 scram-sha-256" /etc/postgresql/*/main/pg_hba.conf
    systemctl start postgresql.service
    sudo -u postgres psql --quiet -c "CREATE USER understudy PASSWORD 'secret'" -c "CREATE DATABASE understudy OWNER understudy"
    sudo -u understudy sh -c "umask 077; echo secret >$data/password"

    sed -i 's|^#database:$|database: postgresql:///understudy?host=/run/postgresql|' $settings
    systemctl restart understudy.service
    sign_up marge@rules.example
    check "a user in PostgreSQL logs in, over a Unix domain socket" logs_in marge@rules.example
    check "the service still has a network of its own" not has_network

    sed -i "s|^database: .*|database: postgresql://understudy@$address/understudy?sslmode=disable|" $settings
    sed -i "s|^#database-password-file:\$|database-password-file: $data/password|" $settings
    systemctl restart --no-block understudy.service
    check "without it, the log names the cause" timeout 20 sh -c \
        'until journalctl --unit understudy.service | grep -q "Network is unreachable"; do sleep 0.1; done'
    systemctl stop understudy.service
    systemctl reset-failed understudy.service || true

    # The example contains the address.
    install -D --mode=644 /usr/share/doc/understudy/examples/network.conf $drop_in
    check "the drop-in admits the database" grep -qx "IPAddressAllow=$address" $drop_in
    systemctl daemon-reload
    systemctl restart understudy.service
    is_served
    check "the service has the machine's network" has_network
    check "a user in PostgreSQL logs in, over TCP" logs_in marge@rules.example
    check "the metrics, from the socket unit" has_metrics
    systemctl disable --now --quiet understudy-metrics.socket
    systemctl restart understudy.service
    check "the metrics, from the server's own port" has_metrics

    rm -r ${drop_in%/*}
    sed -i -E 's/^(database|database-password-file): .*/#\1:/' $settings
    systemctl daemon-reload
    systemctl enable --quiet understudy-metrics.socket
    systemctl restart understudy.service
    systemctl stop postgresql.service
    is_served
    check "the account of the file logs in" logs_in lisa@rules.example
    check "the service has a network of its own again" not has_network
    check "the metrics, from the socket unit again" has_metrics
}

life_remove() {
    apt remove understudy
    expect "listening addresses" "" sh -c "awk '\$4 == \"0A\" { print \$2 }' /proc/net/tcp /proc/net/tcp6"
    check "no process is left" not pgrep -u understudy
    check "the accounts stay" test -s $data/understudy.sqlite
    check "the configuration file stays" grep -qx 'drain: 9s' $settings
    check "the program is gone" not test -e /usr/bin/understudy
}

life_install_again() {
    apt -o Dpkg::Options::=--force-confold install /packages/new.deb
    is_served
    check "the account logs in" logs_in lisa@rules.example
}

life_purge() {
    apt purge understudy
    expect "files that are left" "" find /etc /usr /var/lib -name '*understudy*' -not -path '/var/lib/apt/*'
    check "the user stays" getent passwd understudy
    expect "units that are left" "" systemctl list-units --all --plain --no-legend 'understudy*'
}

started=$(date +%s.%N)
"life_$1"
printf '    (%.1f s)\n' "$(awk "BEGIN { print $(date +%s.%N) - $started }")"
