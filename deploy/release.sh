#!/usr/bin/env bash
# Makes the files of a release in release/: the package, its bill of materials and their hashes. Publishes nothing.
# Call it on a clean checkout of main after CHANGELOG.md, package.json and the chart name the new version.
set -euo pipefail
cd "$(dirname "$0")/.."

refuse() { echo "no release: $1" >&2; exit 1; }

version=$(node -p "require('./package.json').version")
[ -z "$(git status --porcelain)" ] || refuse 'the checkout has changes'
[ "$(git branch --show-current)" = main ] || refuse 'the branch is not main'
grep -q "^## $version " CHANGELOG.md || refuse "CHANGELOG.md has no entry for $version"
grep -q "^version: $version$" deploy/helm/tieout/Chart.yaml || refuse "the chart has another version than $version"
grep -q "image: tieout:$version$" docker-compose.yml || refuse "docker-compose.yml names another image than tieout:$version"
git rev-parse -q --verify "refs/tags/v$version" >/dev/null && refuse "the tag v$version exists"

npm ci
TIEOUT_TEST_REQUIRE=all npm test
rm -rf release && mkdir release
npm pack --pack-destination release
npm sbom --omit=dev --sbom-format cyclonedx > "release/tieout-$version.sbom.json"
(cd release && sha256sum -- * > SHA256SUMS)
git tag -a "v$version" -m "tieout $version"
echo "release/ holds the files of $version, and the tag v$version is set. Publish them, then push the tag."
