import * as fc from 'fast-check'
import findMyWay from 'find-my-way'
import { describe, expect, it } from 'vitest'
import { RouteTable } from './route-table.ts'
import type { Route, RouteMethod } from './route-table.ts'

function tableOf(...routes: [RouteMethod, string][]): RouteTable<Route> {
  const table = new RouteTable<Route>()
  for (const [method, fullPath] of routes) table.add({ method, fullPath })
  return table
}

const find = <R extends Route>(table: RouteTable<R>, method: RouteMethod, path: string) =>
  table.find(method, path.slice(1).split('/'))

describe('finds', () => {
  const table = tableOf(
    ['GET', '/a/orders'],
    ['GET', '/a/orders/'],
    ['GET', '/a/orders/{id}'],
    ['POST', '/a/orders/new'],
    ['PUT', '/a/orders/{id}/lines/{line}'],
    ['GET', '/a/{kind}/new'],
    ['GET', '/'],
  )

  it.each([
    ['GET', '/a/orders', '/a/orders', []],
    ['GET', '/a/orders/', '/a/orders/', []],
    ['GET', '/a/orders/7', '/a/orders/{id}', ['7']],
    ['GET', '/a/orders/new', '/a/orders/{id}', ['new']],
    ['POST', '/a/orders/new', '/a/orders/new', []],
    ['PUT', '/a/orders/7/lines/8', '/a/orders/{id}/lines/{line}', ['7', '8']],
    ['GET', '/a/others/new', '/a/{kind}/new', ['others']],
    ['GET', '/', '/', []],
    ['GET', '/a', undefined, undefined],
    ['GET', '/a/orders/7/', undefined, undefined],
    ['GET', '/a//new', undefined, undefined],
    ['POST', '/a/orders/7', undefined, undefined],
    ['GET', '/A/orders', undefined, undefined],
    ['GET', '/a/constructor', undefined, undefined],
    ['GET', '/a/orders/new;x', undefined, undefined],
    ['GET', '/a/orders/7;x=1', undefined, undefined],
    ['GET', '/a/orders/;x', undefined, undefined],
    ['GET', '/a/others;x/new', undefined, undefined],
  ] as const)('%s %s', (method, path, fullPath, params) => {
    const found = find(table, method, path)
    expect(found?.route.fullPath).toBe(fullPath)
    expect(found?.params).toEqual(params)
    const isExact = fullPath !== undefined && !fullPath.includes('{')
    expect(table.exact(method, path)?.fullPath).toBe(isExact ? fullPath : undefined)
  })

  it('lists the methods of a path', () => {
    expect(table.methods(['a', 'orders', 'new'])).toEqual(['GET', 'POST'])
    expect(table.methods(['a', 'nothing'])).toEqual([])
  })
})

it('the first of two routes with one path stays', () => {
  const table = new RouteTable<Route & { number: number }>()
  table.add({ method: 'GET', fullPath: '/a/{x}', number: 1 })
  table.add({ method: 'GET', fullPath: '/a/{y}', number: 2 })
  expect(table.find('GET', ['a', 'b'])?.route.number).toBe(1)
})

it('agrees with find-my-way on any set of routes', () => {
  const segment = fc.constantFrom('a', 'b', 'ab', '{x}')
  const path = fc.array(segment, { minLength: 1, maxLength: 4 })
  const asked = fc.array(fc.constantFrom('a', 'b', 'ab', 'c'), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(fc.array(path, { minLength: 1, maxLength: 12 }), asked, (paths, segments) => {
      const table = new RouteTable<Route>()
      const reference = findMyWay()
      for (const each of new Set(paths.map((names) => `/${names.join('/')}`))) {
        table.add({ method: 'GET', fullPath: each })
        // Another name for each place: the reference keeps them apart by it.
        let at = 0
        reference.on(
          'GET',
          each.replaceAll('{x}', () => `:x${at++}`),
          () => undefined,
          each,
        )
      }
      const expected = reference.find('GET', `/${segments.join('/')}`)?.store as string | undefined
      expect(table.find('GET', segments)?.route.fullPath).toBe(expected)
    }),
  )
})

describe('a route that is removed', () => {
  const route = (method: RouteMethod, fullPath: string): Route => ({ method, fullPath })

  it('is found no more, and leaves the others', () => {
    const table = new RouteTable<Route>()
    const [list, one, made] = [route('GET', '/a/b'), route('GET', '/a/{id}'), route('POST', '/a/b')]
    for (const each of [list, one, made]) table.add(each)
    table.remove(list)
    expect(table.exact('GET', '/a/b')).toBeNull()
    expect(find(table, 'GET', '/a/b')).toEqual({ route: one, params: ['b'] })
    expect(table.exact('POST', '/a/b')).toBe(made)
    table.remove(made)
    table.remove(one)
    expect(table.methods(['a', 'b'])).toEqual([])
    table.remove(one)
    expect(find(table, 'GET', '/a/b')).toBeNull()
  })

  it('gives its place to the next in order', () => {
    const table = new RouteTable<Route & { place: number }>((one, other) => one.place - other.place)
    const routes = [3, 1, 2].map((place) => ({ ...route('GET', '/a/{id}'), place }))
    for (const each of routes) table.add(each)
    for (const place of [1, 2, 3]) {
      expect(find(table, 'GET', '/a/7')?.route.place).toBe(place)
      table.remove(routes.find((each) => each.place === place)!)
    }
    expect(find(table, 'GET', '/a/7')).toBeNull()
  })
})
