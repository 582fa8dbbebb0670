import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { useMutation } from './use-mutation.ts'
import { useWhileShown } from '../page/use-while-shown.ts'

interface SaverProps {
  answer: Promise<string>
  onSaved: (answer: string) => void
  onRefused: () => void
  onClose: (answer: string) => void
}

function Saver({ answer, onSaved, onRefused, onClose }: SaverProps) {
  const close = useWhileShown(onClose)
  const save = useMutation({
    mutationFn: () => answer,
    onSuccess: (text) => {
      onSaved(text)
      close(text)
    },
    onError: onRefused,
  })
  return <button onClick={() => save.mutate()}>Save</button>
}

async function saveAnd(isLeft: boolean) {
  const answer = Promise.withResolvers<string>()
  const calls = {
    onSaved: vi.fn<(answer: string) => void>(),
    onRefused: vi.fn<() => void>(),
    onClose: vi.fn<(answer: string) => void>(),
  }
  const client = new QueryClient({ defaultOptions: { mutations: { retry: false } } })
  const { unmount } = render(
    <QueryClientProvider client={client}>
      <Saver answer={answer.promise} {...calls} />
    </QueryClientProvider>,
  )
  await userEvent.setup().click(screen.getByRole('button', { name: 'Save' }))
  if (isLeft) unmount()
  return { answer, ...calls }
}

it('what follows a change happens after its component is gone, and closes nothing then', async () => {
  const { answer, onSaved, onClose } = await saveAnd(true)
  answer.resolve('saved')
  await waitFor(() => expect(onSaved).toHaveBeenCalledWith('saved'))
  expect(onClose).not.toHaveBeenCalled()
})

it('a refusal is told after its component is gone', async () => {
  const { answer, onRefused } = await saveAnd(true)
  answer.reject(new Error('no'))
  await waitFor(() => expect(onRefused).toHaveBeenCalledOnce())
})

it('what is still shown is closed', async () => {
  const { answer, onClose } = await saveAnd(false)
  await act(async () => answer.resolve('saved'))
  await waitFor(() => expect(onClose).toHaveBeenCalledWith('saved'))
})

it('callbacks of a single call do not compile', () => {
  type Save = ReturnType<typeof useMutation<string, number>>
  const callAll = ({ mutate, mutateAsync }: Save) => {
    // @ts-expect-error -- they would be dropped with the component
    mutate(1, { onSuccess: () => undefined })
    // @ts-expect-error -- likewise
    return mutateAsync(1, { onSuccess: () => undefined })
  }
  expect(callAll).toBeTypeOf('function')
})
