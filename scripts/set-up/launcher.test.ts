import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LauncherFixture } from './launcher-fixture.ts'

// npm takes a second for the lock file.
const made = new LauncherFixture()
beforeAll(() => made.make())
afterAll(() => made.remove())

describe('what installs or builds, in a repository of its own', () => {
  let repository: LauncherFixture
  beforeEach(() => {
    repository = LauncherFixture.copyOf(made)
  })
  afterEach(() => repository.remove())

  test('two starts at once install and build once, and both serve', async () => {
    const starts = [repository.start(), repository.start()]
    await Promise.all(starts.map((start) => start.says('ready')))
    const said = starts.flatMap((start) => start.lines)
    expect(said.filter((line) => /dependencies +installed +\d/.test(line))).toHaveLength(1)
    expect(readFileSync(repository.at('builds'), 'utf8')).toBe('x')
    expect(readFileSync(repository.at('bundles'), 'utf8')).toBe('x')
    for (const start of starts) start.kill('SIGTERM')
    expect(await Promise.all(starts.map((start) => start.end))).toEqual([0, 0])
  })

  test('a second start finds everything done, and a changed source is built again', async () => {
    const first = repository.start('0')
    await first.end
    const second = repository.start('0')
    await second.end
    expect(second.lines.filter((line) => line.includes('up to date'))).toHaveLength(3)
    repository.write('apps/dashboard/src/a.ts', 'changed')
    await repository.start('0').end
    expect(readFileSync(repository.at('builds'), 'utf8')).toBe('xx')
  })

  test('a server that runs keeps its folder while the next state of the sources is built', async () => {
    const products = () => readdirSync(repository.at('.stamps/products'))
    const running = repository.start()
    await running.says('ready')
    const [first] = products()
    const main = repository.at('apps/standalone/src/main.ts')
    for (const [at, text] of ['one', 'two'].entries()) {
      writeFileSync(main, `${readFileSync(main, 'utf8')}// ${text}\n`)
      await repository.start('0').end
      expect(products()).toHaveLength(2)
      if (at === 0) expect(products()).toContain(first)
    }
    await repository.start('0').end
    expect(readFileSync(repository.at('bundles'), 'utf8')).toBe('xxx')
    running.kill('SIGTERM')
    await running.end
  })

  test('an npm install by hand is kept as it is, unless a package.json has changed since', async () => {
    await repository.npm(['install', '--offline', '--ignore-scripts']).end
    const first = repository.start('0')
    await first.end
    expect(first.lines.join('\n')).toContain('installed by hand')
    repository.write('packages/contract/package.json', {
      name: 'contract',
      version: '1.0.0',
      dependencies: { vite: '1.0.0' },
    })
    const second = repository.start('0')
    await second.end
    expect(second.lines.join('\n')).toMatch(/dependencies +installed +\d/)
  })

  test.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)(
    'an install ended by %s leaves nothing running and is not taken for a whole one',
    async (signal) => {
      repository.write('slow', '')
      const interrupted = repository.start('0')
      const { gone } = await repository.installIsRunning()
      interrupted.kill(signal)
      expect(await interrupted.end).not.toBe(0)
      await gone
      rmSync(repository.at('slow'))
      const again = repository.start('0')
      expect(await again.end).toBe(0)
      expect(again.lines.join('\n')).toMatch(/dependencies +installed +\d/)
    },
  )

  test('a start that waits for its turn can be stopped', async () => {
    repository.write('slow', '')
    const first = repository.start('0')
    await repository.installIsRunning()
    const second = repository.start('0')
    await second.says('waiting for it')
    second.kill('SIGTERM')
    expect(await second.end).toBe(143)
    first.kill('SIGTERM')
    await first.end
  })

  test('a build that fails stops the start with its reason, and is tried again', async () => {
    await repository.start('0').end
    repository.write('broken', '')
    repository.write('apps/dashboard/src/a.ts', 'changed')
    const failed = repository.start('0')
    expect(await failed.end).toBe(1)
    expect(failed.lines).toContain('no such component')
    expect(existsSync(repository.at('apps/dashboard/dist/index.html'))).toBe(true)
    rmSync(repository.at('broken'))
    expect(await repository.start('0').end).toBe(0)
    expect(readFileSync(repository.at('builds'), 'utf8')).toBe('xxx')
  })
})

describe('what only starts the server, in one repository', () => {
  let repository: LauncherFixture
  beforeAll(async () => {
    repository = LauncherFixture.copyOf(made)
    await repository.start('0').end
  })
  afterEach(() => repository.stop())
  afterAll(() => repository.remove())

  test('the exit code of the server is passed on', async () => {
    expect(await repository.start('7').end).toBe(7)
  })

  test('SIGTERM reaches the server, which decides how to end', async () => {
    const start = repository.start()
    await start.says('ready')
    start.kill('SIGTERM')
    expect(await start.end).toBe(0)
    expect(start.lines).toContain('stopping')
  })

  test('the server ends when the launcher is killed hard', async () => {
    const start = repository.start()
    await start.says('ready')
    start.kill('SIGKILL')
    await start.end
    expect(start.lines).toContain('stopping')
  })

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'nothing is left when npm ends by %s',
    async (signal) => {
      const npm = repository.npm(['start'])
      await npm.says('ready')
      npm.kill(signal)
      await npm.end
      expect(npm.lines).toContain('stopping')
    },
  )
})
