import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createMemoryRouter, Link, type RouteObject } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { expect, it } from 'vitest'
import { RouterSource } from './router-source.ts'
import { useNavigateIfHere, useScreenAddress } from './screen-address.ts'
import { useAddressFilter } from './use-address-filter.ts'

const names = ['state', 'kind'] as const
const read = (address: URLSearchParams) => address.toString()

/** Chooses two filters and a page before the first of them is rendered. */
function Filters() {
  const { setFilter } = useAddressFilter(names, read)
  const { change } = useScreenAddress()
  const handleClick = () => {
    setFilter({ state: 'open' })
    setFilter({ kind: 'run' })
    change({ page: '2' })
  }
  return <button onClick={handleClick}>Choose</button>
}

/** Leads on when `ended` says so. */
function Slow({ ended }: { ended: Promise<void> }) {
  const leadOn = useNavigateIfHere()
  const handleClick = async () => {
    await ended
    leadOn('/next')
  }
  return (
    <>
      <button onClick={() => void handleClick()}>Begin</button>
      <Link to="/elsewhere">Elsewhere</Link>
    </>
  )
}

function open(routes: RouteObject[]) {
  const router = createMemoryRouter(routes, { initialEntries: ['/list?page=7&kept=1'] })
  render(
    <RouterSource value={router}>
      <RouterProvider router={router} />
    </RouterSource>,
  )
  return { router, browser: userEvent.setup() }
}

it('changes that follow on each other add up, before the first of them is rendered', async () => {
  const { router, browser } = open([{ path: '/list', element: <Filters /> }])
  await browser.click(screen.getByRole('button'))
  await waitFor(() =>
    expect(Object.fromEntries(new URLSearchParams(router.state.location.search))).toEqual({
      kept: '1',
      state: 'open',
      kind: 'run',
      page: '2',
    }),
  )
})

function openSlow() {
  const ended = Promise.withResolvers<void>()
  const loaded = Promise.withResolvers<void>()
  const opened = open([
    { path: '/list', element: <Slow ended={ended.promise} /> },
    { path: '/next', element: <h1>Next</h1> },
    {
      path: '/elsewhere',
      lazy: async () => {
        await loaded.promise
        return { element: <h1>Elsewhere</h1> }
      },
    },
  ])
  return { ...opened, ended, loaded }
}

it('what ends leads on', async () => {
  const { browser, ended } = openSlow()
  await browser.click(screen.getByRole('button'))
  ended.resolve()
  expect(await screen.findByRole('heading', { name: 'Next' })).toBeDefined()
})

it('what ends while the next screen is loaded calls nobody back', async () => {
  const { router, browser, ended, loaded } = openSlow()
  await browser.click(screen.getByRole('button'))
  await browser.click(screen.getByRole('link'))
  expect(router.state.navigation.location?.pathname).toBe('/elsewhere')
  ended.resolve()
  await ended.promise
  loaded.resolve()
  await screen.findByRole('heading', { name: 'Elsewhere' })
  expect(router.state.location.pathname).toBe('/elsewhere')
})
