import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildRoleForm } from '../../testing/admin-builders.ts'
import { buildPage, buildUser } from '../../testing/builders.ts'
import { renderApp, watchConsoleErrors } from '../../testing/render-app.tsx'
import { screens } from '../screens.tsx'

const answers = {
  'GET /api/apis': () => buildPage([]),
  'GET /api/endpoint': () => buildPage([]),
  'GET /api/context': () => buildPage([]),
}

const menuLinks = async () =>
  within(await screen.findByRole('navigation', { name: 'Main' }))
    .getAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')])

/** Dashboard, then the groups with their entries (spec: shell). */
const specLinks = [
  ['Dashboard', '/dashboard'],
  ['APIs', '/dashboard/admin/apis'],
  ['Endpoints', '/dashboard/admin/endpoints'],
  ['Api Context', '/dashboard/admin/context'],
  ['Build Request', '/dashboard/admin/build-request'],
  ['Requests', '/dashboard/admin/gateway-requests'],
  ['Traffic', '/dashboard/admin/traffic'],
  ['API docs', '/dashboard/admin/api-docs'],
  ['Tax workflow', '/dashboard/admin/tax'],
  ['Credit workflow', '/dashboard/admin/tax/credit'],
  ['Workflows', '/dashboard/admin/workflows'],
  ['History', '/dashboard/admin/runs'],
  ['Documents', '/dashboard/admin/documents'],
  ['Unclear', '/dashboard/admin/unclear'],
  ['All Roles', '/dashboard/admin/role'],
  ['All Users', '/dashboard/admin/user'],
  ['Users Have API access', '/dashboard/admin/api-permission'],
  ['Personal Access Token', '/dashboard/admin/personal-token'],
  ['Alarms', '/dashboard/admin/alarms'],
  ['Log Viewer', '/dashboard/admin/logs'],
  ['Audit Trail', '/dashboard/admin/audit'],
  ['Nodes', '/dashboard/admin/nodes'],
  ['Archive', '/dashboard/admin/archive'],
  ['Image generator', '/dashboard/admin/image-generator'],
]
const rareLinks = [
  ['Lanes', '/dashboard/admin/lanes'],
  ['Reconciliation', '/dashboard/admin/reconciliation'],
  ['Deliveries', '/dashboard/admin/deliveries'],
]

test('the sidebar holds the spec’s links and groups in their order; what is rarely used is folded', async () => {
  const { browser } = renderApp({ path: '/dashboard', answers })
  expect(await menuLinks()).toEqual(specLinks)
  await browser.click(screen.getByRole('button', { name: 'Rarely used' }))
  expect(await menuLinks()).toEqual(specLinks.toSpliced(14, 0, ...rareLinks))
})

test('groups are as the user left them, and a closed one still shows where the user is', async () => {
  const { browser } = renderApp({ path: '/dashboard/admin/apis', answers })
  await browser.click(await screen.findByRole('button', { name: 'Apis' }))
  cleanup()
  renderApp({ path: '/dashboard/admin/apis', answers })
  const group = await screen.findByRole('button', { name: 'Apis' })
  expect(group.getAttribute('aria-expanded')).toBe('false')
  const links = await menuLinks()
  expect(links.slice(0, 3).map(([label]) => label)).toEqual(['Dashboard', 'APIs', 'Tax workflow'])
})

test('a pinned entry is on top, and goes back into its group', async () => {
  const { browser } = renderApp({ path: '/dashboard', answers })
  const menu = within(await screen.findByRole('navigation', { name: 'Main' }))
  await browser.click(menu.getByRole('button', { name: 'Pin History' }))
  await browser.click(menu.getByRole('button', { name: 'Pin Documents' }))
  const labels = async () => (await menuLinks()).map(([label]) => label)
  expect((await labels()).slice(0, 4)).toEqual(['Dashboard', 'History', 'Documents', 'APIs'])
  const pin = menu.getByRole('button', { name: 'Pin History' })
  expect(pin.getAttribute('aria-pressed')).toBe('true')
  await browser.click(pin)
  expect((await labels()).slice(0, 3)).toEqual(['Dashboard', 'Documents', 'APIs'])
  expect(await labels()).toContain('History')
})

test('a group folds and says whether it is open', async () => {
  const { browser } = renderApp({ path: '/dashboard', answers })
  const group = await screen.findByRole('button', { name: 'Apis' })
  expect(group.getAttribute('aria-expanded')).toBe('true')
  const menu = within(screen.getByRole('navigation', { name: 'Main' }))
  const entry = () => menu.queryByRole('link', { name: 'APIs' })
  expect(entry()).toBeTruthy()
  await browser.click(group)
  expect(group.getAttribute('aria-expanded')).toBe('false')
  expect(entry()).toBeNull()
})

test('entries that the user may not see are left out, groups that are empty too', async () => {
  const user = buildUser({ permissions: ['dashboard.view'] })
  renderApp({ path: '/dashboard', user, answers })
  expect(await menuLinks()).toEqual([
    ['Dashboard', '/dashboard'],
    ['Traffic', '/dashboard/admin/traffic'],
    ['API docs', '/dashboard/admin/api-docs'],
  ])
  expect(screen.queryByRole('button', { name: 'Users' })).toBeNull()
  // The tile leads to a screen that this user may not see.
  expect(screen.queryByRole('link', { name: /APIs/ })).toBeNull()
})

test('a screen without its permission is a 403 inside the shell that names the permission', async () => {
  const user = buildUser({ permissions: ['dashboard.view', 'api.view'] })
  const { server } = renderApp({ path: '/dashboard/admin/endpoints', user, answers })
  expect(await screen.findByText('endpoint.view')).toBeTruthy()
  expect(await menuLinks()).toContainEqual(['APIs', '/dashboard/admin/apis'])
  expect(server.requests.map(({ key }) => key)).toEqual([
    'GET /api/auth',
    'GET /api/installation/hold',
    'GET /api/gateway',
    'GET /api/access/refusal',
  ])
})

test('an unknown path is a 404 inside the shell', async () => {
  renderApp({ path: '/dashboard/admin/nothing', answers })
  expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeTruthy()
  expect(await menuLinks()).toContainEqual(['APIs', '/dashboard/admin/apis'])
  await waitFor(() => expect(document.title).toBe('Not found · Gatehouse'))
})

test('a screen that breaks leaves the menu usable and offers to reload', async () => {
  watchConsoleErrors()
  const { browser } = renderApp({
    path: '/dashboard/admin/apis',
    answers: {
      ...answers,
      'GET /api/apis': () => Response.json([{ data: [{ id: 1 }], total: 1 }]),
    },
  })
  expect(await screen.findByRole('heading', { name: 'Something went wrong' })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy()
  await browser.click(screen.getByRole('link', { name: 'Endpoints' }))
  expect(await screen.findByText('No endpoints yet')).toBeTruthy()
})

test('header and home are the spec’s: Dashboard, Home leading to /admin, one tile with the count', async () => {
  const { browser, address } = renderApp({
    path: '/dashboard/admin/apis',
    answers: { ...answers, 'GET /api/apis': () => buildPage([], 12) },
  })
  await screen.findByRole('heading', { name: 'Dashboard', level: 1 })
  const home = screen.getByRole('link', { name: 'Home' })
  expect(home.getAttribute('href')).toBe('/admin')
  await browser.click(home)
  await waitFor(() => expect(address()).toBe('/dashboard'))
  const tile = await within(screen.getByRole('main')).findByRole('link', { name: /APIs/ })
  expect(tile.getAttribute('href')).toBe('/dashboard/admin/apis')
  await waitFor(() => expect(tile.textContent).toContain('12 registered'))
})

test('/ shows the dashboard too', async () => {
  renderApp({ path: '/', answers })
  expect(await screen.findByRole('heading', { name: 'Welcome, Ada Admin' })).toBeTruthy()
})

test('a change of screen moves the focus to its title and names the window after it', async () => {
  const { browser } = renderApp({ path: '/dashboard', answers })
  const menu = within(await screen.findByRole('navigation', { name: 'Main' }))
  await browser.click(menu.getByRole('link', { name: 'APIs' }))
  const title = await screen.findByRole('heading', { name: 'Apis List' })
  await waitFor(() => expect(document.activeElement).toBe(title))
  expect(document.title).toBe('Apis List · Gatehouse')
})

test('the skip link leads past the menu', async () => {
  const { browser } = renderApp({ path: '/dashboard', answers })
  await browser.click(await screen.findByRole('button', { name: 'Skip to content' }))
  expect(document.activeElement).toBe(screen.getByRole('main'))
})

test('the colour scheme that is chosen is kept', async () => {
  const { browser } = renderApp({ path: '/dashboard', answers })
  await browser.click(await screen.findByRole('button', { name: 'Account of Ada Admin' }))
  await browser.click(await screen.findByRole('menuitemradio', { name: 'Dark' }))
  expect(document.documentElement.dataset['mantineColorScheme']).toBe('dark')
  // The script that runs before the first paint reads the same key.
  expect(localStorage.getItem('mantine-color-scheme-value')).toBe('dark')
})

test('every menu entry leads to a screen that loads, and no two screens share an address', async () => {
  const addresses = screens.flatMap(({ paths }) => paths)
  expect(new Set(addresses).size).toBe(addresses.length)
  for (const { load } of screens) expect(await load()).toBeTypeOf('function')
})

test('a user who may not see the dashboard lands on the first screen that is allowed', async () => {
  const user = buildUser({ permissions: ['api.view'] })
  const { address } = renderApp({ path: '/dashboard', user, answers })
  await waitFor(() => expect(address()).toBe('/dashboard/admin/apis'))
})

test('Cancel leads back to the list as it was left', async () => {
  const { browser, address } = renderApp({
    path: '/dashboard/admin/role?search=audit&sort=-name',
    answers: {
      'GET /api/role': () => buildPage([]),
      'GET /api/role/create': () => buildRoleForm(),
    },
  })
  await browser.click(await screen.findByRole('link', { name: 'Add Role' }))
  await browser.click(await screen.findByRole('link', { name: 'Cancel' }))
  await waitFor(() => expect(address()).toBe('/dashboard/admin/role?search=audit&sort=-name'))
})
