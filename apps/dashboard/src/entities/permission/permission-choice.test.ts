import { expect, test } from 'vitest'
import { boxState, countChosen, findPermissions, toGroups, toggle } from './permission-choice.ts'

const orders = ['order.view', 'order.edit', 'order.delete']
const everything = new Set([...orders, 'user.view', 'user.edit'])

test('groups follow the order of the server, and those without permissions are left out', () => {
  const groups = toGroups({
    allPermissions: [
      { id: 1, name: 'user.view', group_name: 'user' },
      { id: 2, name: 'api.view', group_name: 'api' },
      { id: 3, name: 'user.edit', group_name: 'user' },
    ],
    groups: [{ name: 'api' }, { name: 'empty' }, { name: 'user' }],
    rolePermissions: [],
    grantable: [],
  })
  expect(groups).toEqual([
    { name: 'api', permissions: ['api.view'] },
    { name: 'user', permissions: ['user.view', 'user.edit'] },
  ])
})

test.each([
  [[], 'unchecked'],
  [['order.view'], 'partly'],
  [['order.view', 'order.edit'], 'partly'],
  [orders, 'checked'],
  [[...orders, 'user.view'], 'checked'],
  [['user.view'], 'unchecked'],
])('with %j chosen, the box of the group is %s', (chosen, state) => {
  expect(boxState(orders, new Set(chosen))).toBe(state)
})

test('a click on an unchecked or a partly checked group sets all of it', () => {
  const fromNone = toggle(orders, new Set(['user.view']), everything)
  const fromSome = toggle(orders, new Set(['user.view', 'order.edit']), everything)
  expect(fromNone).toEqual(new Set(['user.view', ...orders]))
  expect(fromSome).toEqual(fromNone)
})

test('a click on a checked group clears all of it, and nothing else', () => {
  expect(toggle(orders, new Set(['user.view', ...orders]), everything)).toEqual(
    new Set(['user.view']),
  )
})

test('permissions that may not be granted are neither set nor cleared', () => {
  const grantable = new Set(['order.view', 'order.edit'])
  const held = new Set(['order.delete'])
  const all = toggle(orders, held, grantable)
  expect(all).toEqual(new Set(orders))
  expect(toggle(orders, all, grantable)).toEqual(held)
  expect(toggle(orders, new Set(), grantable)).toEqual(grantable)
})

test('where some may not be granted, a second click clears what the first one set', () => {
  const grantable = new Set(['order.view', 'order.edit'])
  const set = toggle(orders, new Set(), grantable)
  expect(boxState(orders, set)).toBe('partly')
  expect(toggle(orders, set, grantable)).toEqual(new Set())
})

test('a toggle leaves the set it was given as it was', () => {
  const chosen = new Set(['order.view'])
  toggle(orders, chosen, everything)
  expect(chosen).toEqual(new Set(['order.view']))
})

test('the search finds permissions by a part of their name, and groups as a whole', () => {
  const groups = [
    { name: 'order', permissions: orders },
    { name: 'user', permissions: ['user.view', 'user.edit'] },
  ]
  expect(findPermissions(groups, ' EDIT ')).toEqual([
    { name: 'order', permissions: ['order.edit'] },
    { name: 'user', permissions: ['user.edit'] },
  ])
  expect(findPermissions(groups, 'ord')).toEqual([groups[0]])
  expect(findPermissions(groups, '')).toEqual(groups)
  expect(findPermissions(groups, 'nothing')).toEqual([])
})

test('All over a thousand permissions sets every one, and clears every one', () => {
  const names = Array.from({ length: 1000 }, (_, index) => `group${index % 50}.action${index}`)
  const set = toggle(names, new Set(), new Set(names))
  expect(countChosen(names, set)).toBe(1000)
  expect(boxState(names, set)).toBe('checked')
  expect(toggle(names, set, new Set(names)).size).toBe(0)
})
