// oxlint-disable-next-line no-restricted-imports -- all others import it from here
import { useMutation as useAnyMutation } from '@tanstack/react-query'
import type { UseMutationOptions, UseMutationResult } from '@tanstack/react-query'

type Variables<Input> = undefined extends Input ? [input?: Input] : [input: Input]

type Given<Result, Output, Input> = Result extends unknown
  ? Omit<Result, 'mutate' | 'mutateAsync'> & {
      mutate: (...input: Variables<Input>) => void
      mutateAsync: (...input: Variables<Input>) => Promise<Output>
    }
  : never

/**
 * What changes something on the server. What follows is given here, as `onSuccess` and `onError`, and
 * happens even if the component is gone by then. Callbacks of a single `mutate` would be dropped with
 * the component, a toast too, so the type offers none.
 */
export const useMutation: <Output, Input = void>(
  options: UseMutationOptions<Output, Error, Input>,
) => Given<UseMutationResult<Output, Error, Input>, Output, Input> = useAnyMutation
