import { describe, expect, test } from 'vitest'
import { lockProblems } from './locks.mjs'

describe('lockProblems', () => {
  test('a binary for another platform that has no entry is missed', () => {
    const packages = {
      '': { optionalDependencies: { top: '1' } },
      'apps/x': { optionalDependencies: { top: '1' } },
      'node_modules/a': { optionalDependencies: { '@a/linux': '1', '@a/darwin': '1' } },
      'node_modules/a/node_modules/@a/linux': {},
    }
    expect(lockProblems(packages)).toEqual([
      'the top package names top, which has no entry.',
      'apps/x names top, which has no entry.',
      'node_modules/a names @a/darwin, which has no entry.',
    ])
  })

  test('an entry beside the package or in any folder above it counts', () => {
    const packages = {
      'node_modules/b': {},
      'apps/x/node_modules/a/node_modules/c': { optionalDependencies: { b: '1', d: '1', e: '1' } },
      'apps/x/node_modules/d': {},
      'apps/x/node_modules/a/node_modules/e': {},
    }
    expect(lockProblems(packages)).toEqual([])
  })

  test('an address of a registry and an install script are refused', () => {
    const packages = {
      'node_modules/a': { resolved: 'https://registry.example/a.tgz' },
      'node_modules/b': { resolved: 'packages/b', link: true, hasInstallScript: true },
    }
    expect(lockProblems(packages)).toEqual([
      'node_modules/a holds an address: https://registry.example/a.tgz.',
      'node_modules/b runs a script when it is installed.',
    ])
  })
})
