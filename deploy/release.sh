#!/usr/bin/env bash
# Makes the files of a release in release/: the package, its bill of materials and their hashes. Publishes nothing.
# Call it on a clean checkout of main after CHANGELOG.md, package.json and the chart name the new version. It runs what
# continuous integration runs, which installs Debian's programs, so that it needs Node 20, apt-get and root. The script
# also needs helm, which continuous integration does not install.
# With --dry-run FOLDER it names all faults, makes the files of the present dist/ in that folder, and runs no test and
# sets no tag.
set -euo pipefail
cd "$(dirname "$0")/.."

dry=
case "${1-}" in
    '') ;;
    --dry-run) dry=${2:?the folder of the dry run} ;;
    *) echo 'usage: deploy/release.sh [--dry-run FOLDER]' >&2; exit 2 ;;
esac

refuse() {
    echo "no release: $1" >&2
    [ -n "$dry" ] || exit 1
}

make_files() {
    mkdir -p "$1"
    npm pack --pack-destination "$1" "${@:2}"
    npm sbom --sbom-format cyclonedx | node deploy/bill-of-materials.mjs > "$1/tieout-$version.sbom.json"
    (cd "$1" && sha256sum -- *.tgz *.json > SHA256SUMS)
}

version=$(node -p "require('./package.json').version")
[ -z "$(git status --porcelain)" ] || refuse 'the checkout has changes'
[ "$(git branch --show-current)" = main ] || refuse 'the branch is not main'
grep -q "^## $version " CHANGELOG.md || refuse "CHANGELOG.md has no entry for $version"
grep -q "^version: $version$" deploy/helm/tieout/Chart.yaml || refuse "the chart has another version than $version"
grep -q "image: tieout:$version$" docker-compose.yml || refuse "docker-compose.yml names another image than tieout:$version"
if git rev-parse -q --verify "refs/tags/v$version" >/dev/null; then refuse "the tag v$version exists"; fi
[ "$(id -u)" = 0 ] || refuse 'the tests of a release install programs, which only root may do'
command -v apt-get >/dev/null || refuse 'the tests of a release install programs by apt-get, which is not here'
command -v helm >/dev/null || refuse 'helm is not here, so that no test renders the chart'
[[ $(node --version) == v20.* ]] || refuse "the tests of a release need Node 20, and this is Node $(node --version)"

if [ -n "$dry" ]; then
    make_files "$dry" --ignore-scripts
    exit
fi

.ci/run
rm -rf release && mkdir release
make_files release
git tag -a "v$version" -m "tieout $version"
echo "release/ holds the files of $version, and the tag v$version is set. Publish them, then push the tag."
