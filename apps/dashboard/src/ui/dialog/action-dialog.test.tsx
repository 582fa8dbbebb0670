import { MantineProvider } from '@mantine/core'
import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { ActionDialog } from './action-dialog.tsx'

/** Two records that can be deleted; each answer comes when the test says so. */
function Records({ answers }: { answers: Record<string, PromiseWithResolvers<void>> }) {
  const [asked, setAsked] = useState<string>()
  return (
    <>
      <button onClick={() => setAsked('Ada')}>Ask about Ada</button>
      <button onClick={() => setAsked('Bea')}>Ask about Bea</button>
      <ActionDialog
        row={asked}
        texts={{ title: 'Delete?', confirm: 'Delete it', done: 'Deleted.' }}
        renderConsequences={(name) => <p>{name} goes.</p>}
        perform={async (name) => answers[name]?.promise}
        onClose={() => setAsked(undefined)}
      />
    </>
  )
}

function open() {
  const answers = {
    Ada: Promise.withResolvers<void>(),
    Bea: Promise.withResolvers<void>(),
  }
  render(
    <MantineProvider env="test">
      <Records answers={answers} />
    </MantineProvider>,
  )
  return { answers, browser: userEvent.setup() }
}

async function askAboutBeaMeanwhile() {
  const opened = open()
  const { browser } = opened
  await browser.click(screen.getByRole('button', { name: 'Ask about Ada' }))
  await browser.click(await screen.findByRole('button', { name: 'Delete it' }))
  await browser.click(screen.getByRole('button', { name: 'Cancel' }))
  await browser.click(await screen.findByRole('button', { name: 'Ask about Bea' }))
  await screen.findByText('Bea goes.')
  return opened
}

it('an answer that comes late does not close the dialog about another record', async () => {
  const { answers, browser } = await askAboutBeaMeanwhile()
  answers.Ada.resolve()
  await answers.Ada.promise
  expect(screen.getByText('Bea goes.')).toBeDefined()
  await browser.click(screen.getByRole('button', { name: 'Delete it' }))
  answers.Bea.resolve()
  await waitFor(() => expect(screen.queryByText('Bea goes.')).toBeNull())
})

it('a refusal that comes late is not shown as one of another record', async () => {
  const { answers } = await askAboutBeaMeanwhile()
  answers.Ada.reject(new Error('Ada is needed.'))
  await answers.Ada.promise.catch(() => undefined)
  expect(screen.getByText('Bea goes.')).toBeDefined()
  expect(screen.queryByRole('alert')).toBeNull()
})
