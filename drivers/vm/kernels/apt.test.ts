import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  aptConf,
  parseDownload,
  parseLibraries,
  parseMirrors,
  parsePackages,
  parseParts,
  parseReleases,
  sourcesList,
} from './apt';
import { suiteOf } from './releases';

const mirrors = {
  main: 'https://mirror.example/debian',
  security: 'https://mirror.example/debian-security',
};

describe('parseMirrors', () => {
  it('takes the mirrors of this machine', () => {
    const printed = [
      "'https://mirror.example/debian/dists/bookworm/InRelease' mirror.example_debian_dists_bookworm_InRelease 0 ",
      "'https://mirror.example/debian-security/dists/bookworm-security/InRelease' mirror.example_x_InRelease 0 ",
      "'https://mirror.example/debian/dists/bookworm/main/binary-amd64/Packages.xz' mirror.example_Packages 0 ",
    ].join('\n');
    assert.deepEqual(parseMirrors(printed), mirrors);
  });

  it("takes no other archive for a mirror that ends as one, and does without Debian's security archive", () => {
    const printed = [
      "'https://other.example/linux/debian/dists/bookworm/InRelease' other.example_InRelease 0 ",
      "'https://mirror.example/debian/dists/bookworm/InRelease' mirror.example_InRelease 0 ",
      "'https://mirror.example/debian/dists/bookworm-updates/InRelease' mirror.example_updates_InRelease 0 ",
    ].join('\n');
    assert.deepEqual(parseMirrors(printed), { main: 'https://mirror.example/debian' });
  });

  it('finds none among the sources of others', () => {
    assert.equal(parseMirrors("'https://other.example/apt/dists/stable/InRelease' other 0"), undefined);
    assert.equal(parseMirrors(''), undefined);
  });
});

describe('sourcesList', () => {
  it('has the security suite where there is one', () => {
    assert.equal(
      sourcesList(suiteOf('6.1'), mirrors, false),
      'deb [arch=amd64 target=Packages] https://mirror.example/debian bookworm main\n' +
        'deb [arch=amd64 target=Packages] https://mirror.example/debian-security bookworm-security main\n',
    );
    assert.doesNotMatch(sourcesList(suiteOf('7.2'), mirrors, true), /security/);
    assert.doesNotMatch(sourcesList(suiteOf('6.1'), { main: mirrors.main }, true), /security/);
  });
});

describe('aptConf', () => {
  const conf = aptConf(
    '/cache/x',
    'Acquire::http::Proxy "http://proxy:3142";\nAPT::Update::Post-Invoke:: "rm -rf /";\n',
  );

  it('keeps the proxy of the system and none of its hooks', () => {
    assert.match(conf, /^Acquire::http::Proxy "http:\/\/proxy:3142";$/m);
    assert.doesNotMatch(conf, /Invoke/);
  });

  it('keeps lists, cache and sources in the folder', () => {
    for (const name of ['State::Lists "/cache/x/lists"', 'Cache "/cache/x/cache"', 'Etc::Parts "/cache/x/parts"']) {
      assert.ok(conf.includes(`Dir::${name};`), name);
    }
  });
});

describe('parseReleases', () => {
  it('finds plain kernels only', () => {
    const names = [
      'linux-image-amd64',
      'linux-image-6.12-amd64',
      'linux-image-6.1.0-56-amd64',
      'linux-image-6.1.0-56-amd64-dbg',
      'linux-image-6.1.0-56-amd64-unsigned',
      'linux-image-6.1.0-56-cloud-amd64',
      'linux-image-6.1.0-56-rt-amd64',
      'linux-image-7.2.13+deb14-amd64',
    ];
    assert.deepEqual(parseReleases(names.join('\n')), ['6.1.0-56-amd64', '7.2.13+deb14-amd64']);
  });
});

describe('parseParts', () => {
  it('finds the packages into which a kernel is split', () => {
    const shown =
      'Package: linux-image-7.2.13+deb14-amd64\nPre-Depends: linux-base (>= 4.17~)\n' +
      'Depends: dracut | initramfs-tools (>= 0.120), linux-base-7.2.13+deb14-amd64 (= 7.2.13-1), ' +
      'linux-binary-7.2.13+deb14-amd64 (= 7.2.13-1), linux-modules-7.2.13+deb14-amd64 (= 7.2.13-1)\n';
    assert.deepEqual(parseParts(shown, '7.2.13+deb14-amd64'), [
      'linux-base-7.2.13+deb14-amd64',
      'linux-binary-7.2.13+deb14-amd64',
      'linux-modules-7.2.13+deb14-amd64',
    ]);
  });

  it('finds none where the image holds all', () => {
    assert.deepEqual(parseParts('Depends: kmod, linux-base (>= 4.3~)\n', '6.1.0-56-amd64'), []);
  });
});

describe('parseLibraries', () => {
  it('finds the libraries, and the oldest C library that does', () => {
    const shown =
      'Package: libibverbs1\nDepends: adduser, libc6 (>= 2.38), libnl-3-200 (>= 3.2.7), libnl-route-3-200\n';
    assert.deepEqual(parseLibraries(shown), { packages: ['libnl-3-200', 'libnl-route-3-200'], libc: '2.38' });
    assert.deepEqual(parseLibraries('Package: a\n'), { packages: [], libc: undefined });
  });
});

describe('parsePackages', () => {
  it('reads the names of what would be fetched', () => {
    const printed =
      'Reading package lists...\n' +
      "'https://mirror.example/debian/pool/g/libstdc%2b%2b6_12-1_amd64.deb' libstdc++6_12-1_amd64.deb 612604 MD5Sum:0\n" +
      "'https://mirror.example/debian/pool/l/x_all.deb' linux-headers-6.12.117+deb13-common_6.12.117-1_all.deb 9 MD5Sum:0\n";
    assert.deepEqual(parsePackages(printed), ['libstdc++6', 'linux-headers-6.12.117+deb13-common']);
  });
});

describe('parseDownload', () => {
  it('reads file name and size', () => {
    const printed = "'https://mirror.example/debian/pool/l/a%2bb_1_amd64.deb' a+b_1_amd64.deb 70550672 SHA256:00\n";
    assert.deepEqual(parseDownload(printed), { file: 'a+b_1_amd64.deb', size: 70550672 });
  });
});
