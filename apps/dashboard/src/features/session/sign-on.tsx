import { Alert, Button, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/calls/call.ts'
import { messageOf } from '../../lib/calls/call-error.ts'
import { writeKept } from '../../lib/browser/kept-storage.ts'
import { useEnter } from '../../lib/session/session.tsx'

/** Whose answer it is: a refusal makes the page forget those of every user. */
const nobody = null

/** Whether the provider has sent the browser back. */
const isAnswer = (search: string) => new URLSearchParams(search).has('state')

/** Sign-in with the provider: the button, and what follows its answer. */
export function SignOn({ name }: { name: string }) {
  const [answer] = useState(() => (isAnswer(location.search) ? location.search : ''))
  const [failure, setFailure] = useState<unknown>()
  const [isLeaving, setIsLeaving] = useState(false)
  const take = useAnswer()
  // An answer counts once: a query of its own asks once, however often this is drawn.
  const finish = useQuery({
    queryKey: ['sign-on-answer', nobody, answer],
    queryFn: () => take(answer),
    enabled: answer !== '',
    retry: false,
    staleTime: Infinity,
  })

  async function handleClick() {
    setIsLeaving(true)
    setFailure(undefined)
    try {
      location.assign((await call('POST /api/sign-on/begin')).url)
    } catch (error) {
      setFailure(error)
      setIsLeaving(false)
    }
  }

  const problem = failure ?? finish.error
  return (
    <Stack gap="md">
      {problem && (
        <Alert color="red" role="alert">
          {messageOf(problem)}
        </Alert>
      )}
      <Button
        variant="default"
        fullWidth
        loading={isLeaving || finish.isFetching}
        onClick={() => void handleClick()}
      >
        <span>Sign in with {name}</span>
      </Button>
    </Stack>
  )
}

function useAnswer() {
  const enter = useEnter()
  return async (answer: string) => {
    // The answer is of no use to anybody else, and does not stay in the history.
    history.replaceState(history.state, '', location.pathname)
    const { sign_out_url, ...signedIn } = await call('POST /api/sign-on/finish', {
      body: { answer },
    })
    enter(signedIn)
    if (sign_out_url) writeKept('sign-out', sign_out_url, 'browser')
    return null
  }
}
