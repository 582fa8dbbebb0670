import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inRoot } from '../lib/places.mjs'
import { LauncherFixture } from '../set-up/launcher-fixture.ts'

const changelog =
  '# Changelog\n\n## 1.1.0 (unreleased)\n\n- It rings.\n\n## 1.0.0 (2026-01-02)\n\n- New.\n'
const docs = readFileSync(inRoot('docs/releasing.md'), 'utf8')
const written = ['package.json', 'apps/server/package.json', 'packages/contract/package.json']

const made = new LauncherFixture()
beforeAll(async () => {
  made.write('CHANGELOG.md', changelog)
  made.write('deploy/kubernetes/kustomization.yaml', 'images:\n  - newTag: 1.0.0\n')
  made.write('.gitignore', 'node_modules\n.stamps\ndist\nbuild\nbuilds\nbundles\n')
  made.write('packages/upstream/package.json', {
    name: '@gatehouse/upstream',
    version: '1.0.0',
    dependencies: { vite: '1.0.0' },
  })
  made.write('packages/logging/package.json', {
    name: '@gatehouse/logging',
    version: '1.0.0',
    dependencies: { '@gatehouse/upstream': '1.0.0' },
  })
  await made.make()
  gitIn(made, 'init', '-q', '-b', 'main')
  // npm marks what a package starts as executable.
  gitIn(made, 'config', 'core.fileMode', 'false')
  gitIn(made, 'config', 'user.name', 'Releaser')
  gitIn(made, 'config', 'user.email', 'releaser@example.com')
  gitIn(made, 'add', '-A')
  gitIn(made, 'commit', '-q', '-m', 'first')
  // Installed once: every test copies it.
  await made.command('release', ['none']).end
})
afterAll(() => made.remove())

const gitIn = (repository: LauncherFixture, ...args: string[]) =>
  execFileSync('git', args, { cwd: repository.folder, encoding: 'utf8', stdio: 'pipe' }).trim()

let repository: LauncherFixture
beforeEach(() => {
  repository = LauncherFixture.copyOf(made)
})
afterEach(() => repository.remove())

const git = (...args: string[]) => gitIn(repository, ...args)
const read = (file: string) => readFileSync(repository.at(file), 'utf8')

/** `images` is what docker and podman do: those of this machine are not asked. */
async function release(args: string[], { key = '', images = 'exit 1' } = {}) {
  const running = repository.command('release', args, {
    ...withImages(images),
    GATEHOUSE_RELEASE_KEY: key,
  })
  return { code: await running.end, said: running.lines.join('\n') }
}

function withImages(script: string): NodeJS.ProcessEnv {
  const folder = repository.at('.stamps', 'programs')
  for (const name of ['docker', 'podman']) {
    repository.write(`.stamps/programs/${name}`, `#!/bin/sh\n${script}\n`)
    execFileSync('chmod', ['+x', `${folder}/${name}`])
  }
  return { PATH: `${folder}:${process.env['PATH']}` }
}

describe('a dry run', () => {
  it('makes every file of the release and changes nothing in the repository', async () => {
    const head = git('rev-parse', 'HEAD')
    const { code, said } = await release(['1.1.0'])
    expect(said).toContain('skipped: GATEHOUSE_RELEASE_KEY names no key')
    expect(code).toBe(0)
    expect([git('rev-parse', 'HEAD'), git('tag', '--list'), git('status', '--porcelain')]).toEqual([
      head,
      '',
      '',
    ])
    const archive = `gatehouse-1.1.0-${process.platform}-${process.arch}.tar.gz`
    const files = [archive, 'gatehouse-1.1.0.cdx.json', 'release-notes.md']
    expect(readdirSync(repository.at('build/release/1.1.0')).toSorted()).toEqual([
      'SHA256SUMS',
      ...files,
    ])
    const sums = files.map((file) => {
      const bytes = readFileSync(repository.at('build/release/1.1.0', file))
      return `${createHash('sha256').update(bytes).digest('hex')}  ${file}\n`
    })
    expect(read('build/release/1.1.0/SHA256SUMS')).toBe(sums.join(''))
    expect(read('build/release/1.1.0/release-notes.md')).toBe('- It rings.\n')
    const listed = execFileSync('tar', ['-tzf', repository.at('build/release/1.1.0', archive)])
    expect(String(listed)).toContain('gatehouse/server.mjs\n')
  })
})

describe('a release in earnest', () => {
  it('commits the version and the date, signs the checksums, builds the image and tags the commit', async () => {
    const key = repository.at('.stamps', 'key')
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
    const images = 'echo "$@" >> .stamps/images'
    const { code, said } = await release(['1.1.0', '--make'], { key, images })
    expect(said).toContain('gatehouse:1.1.0 by docker')
    expect(code).toBe(0)
    expect(git('log', '-1', '--format=%s')).toBe('chore(release): 1.1.0')
    expect(git('rev-parse', 'v1.1.0^{commit}')).toBe(git('rev-parse', 'HEAD'))
    expect(git('status', '--porcelain')).toBe('')
    for (const file of written) expect(JSON.parse(read(file)).version).toBe('1.1.0')
    const { dependencies } = JSON.parse(read('packages/logging/package.json'))
    expect(dependencies).toEqual({ '@gatehouse/upstream': '1.1.0' })
    expect(read('deploy/kubernetes/kustomization.yaml')).toContain('newTag: 1.1.0')
    const today = new Date().toISOString().slice(0, 10)
    expect(read('CHANGELOG.md')).toContain(`## 1.1.0 (${today})\n`)
    expect(read('.stamps/images')).toMatch(/build -f deploy\/Dockerfile -t gatehouse:1\.1\.0 /)
    // The lock is what npm would have written for these versions.
    const lock = read('package-lock.json')
    await repository.npm(['install', '--package-lock-only', '--offline', '--ignore-scripts']).end
    expect(JSON.parse(read('package-lock.json'))).toEqual(JSON.parse(lock))
    const folder = repository.at('build/release/1.1.0')
    const signer = `releases@example.com ${readFileSync(`${key}.pub`, 'utf8')}`
    writeFileSync(`${folder}/signers`, signer)
    const [, verify = ''] = /^(ssh-keygen -Y verify .*)$/m.exec(docs) ?? []
    const verdict = execFileSync('sh', ['-c', verify], { cwd: folder, encoding: 'utf8' })
    expect(verdict).toContain('Good "gatehouse-release" signature for releases@example.com')
  })

  it('takes its commit back when a step fails, and makes no tag', async () => {
    const head = git('rev-parse', 'HEAD')
    const images = '[ "$1" = info ] || { echo "no room"; exit 3; }'
    const { code, said } = await release(['1.1.0', '--make'], { images })
    expect(said).toContain('no room')
    expect(code).toBe(1)
    expect([git('rev-parse', 'HEAD'), git('tag', '--list'), git('status', '--porcelain')]).toEqual([
      head,
      '',
      '',
    ])
  })

  it('says so where no program makes images, and where the key is not there', async () => {
    const { code, said } = await release(['1.1.0', '--make'], { key: 'no-such-key' })
    expect(said).toContain('There is no key no-such-key, which GATEHOUSE_RELEASE_KEY names.')
    expect(code).toBe(1)
    const without = await release(['1.1.0', '--make'])
    expect(without.said).toContain('skipped: neither docker nor podman answers here')
    expect(without.code).toBe(0)
  })
})

describe('a refusal comes before anything is written', () => {
  it.each([
    ['1.1', 'is no version'],
    ['0.9.0', 'package.json has 1.0.0, which is newer.'],
    ['1.2.0', 'CHANGELOG.md has no section "## 1.2.0 (unreleased)".'],
    ['1.0.0', 'CHANGELOG.md says that 1.0.0 was released (2026-01-02).'],
  ])('of %s: %s', async (version, reason) => {
    const { code, said } = await release([version, '--make'])
    expect(said).toContain(reason)
    expect(code).toBe(1)
    expect(existsSync(repository.at('build/release'))).toBe(false)
  })

  it('names every reason: changed files, a tag and an empty section', async () => {
    git('tag', 'v1.1.0')
    writeFileSync(repository.at('CHANGELOG.md'), changelog.replace('- It rings.\n', ''))
    writeFileSync(repository.at('new'), '')
    rmSync(repository.at('LICENSE'))
    const { code, said } = await release(['1.1.0', '--make'])
    expect(said).toMatch(/3 files are not committed: (?=.*CHANGELOG.md)(?=.*LICENSE)(?=.*new)/)
    expect(said).toContain('There is a tag v1.1.0 already.')
    expect(said).toContain('The section "## 1.1.0 (unreleased)" of CHANGELOG.md is empty.')
    expect(code).toBe(1)
  })
})
