import {
  keepPreviousData,
  queryOptions,
  useQueryClient,
  type Query,
  type QueryKey,
} from '@tanstack/react-query'
import { useCallback } from 'react'
import { useMutation } from './use-mutation.ts'

interface ListOptions<Page> {
  /** Milliseconds until what is shown is fetched again; false: not at all. */
  refetchInterval?: (query: Pick<Query<Page>, 'state'>) => number | false
}

/**
 * The queries, saves and actions of one kind of record, under one name in the cache. `fetchPage`
 * makes the call for one page of its list.
 */
export function defineResource<ListQuery extends object, Page>(
  name: string,
  fetchPage: (query: ListQuery, signal: AbortSignal) => Promise<Page>,
  { refetchInterval }: ListOptions<Page> = {},
) {
  const all = [name] as const
  return {
    /** Key of everything that is cached of the resource. */
    all,
    list: (query: ListQuery) =>
      queryOptions({
        queryKey: [...all, 'list', query] as const,
        queryFn: ({ signal }) => fetchPage(query, signal),
        placeholderData: keepPreviousData,
        ...(refetchInterval ? { refetchInterval } : {}),
      }),
    /**
     * What a form needs: of one record, or of a new one. Loaded again each time the form opens: it
     * holds the version that a save is checked against.
     */
    form: <Form>(of: number | 'new', fetchForm: (signal: AbortSignal) => Promise<Form>) =>
      queryOptions({
        queryKey: [...all, 'form', of] as const,
        queryFn: ({ signal }) => fetchForm(signal),
        gcTime: 0,
        staleTime: Infinity,
      }),
    /**
     * A save, for `useSaveForm`. Lists are fetched again when they are shown next. The open form
     * keeps its content until the save leads on or begins it again.
     */
    useSave<Input, Output>(save: (input: Input) => Promise<Output>) {
      const client = useQueryClient()
      return async (input: Input): Promise<Output> => {
        const answer = await save(input)
        await client.invalidateQueries({
          queryKey: all,
          predicate: isNoForm,
          refetchType: 'none',
        })
        return answer
      }
    },
    useAction: <Input, Output>(
      perform: (input: Input) => Promise<Output>,
      options?: ActionOptions<Input, Output>,
    ) => useAction(all, perform, options),
    useRefresh: () => useRefresh(all),
  }
}

interface ActionOptions<Input, Output> {
  mutationKey?: QueryKey
  /** Milliseconds for which the answer is kept; 0 for a secret. */
  gcTime?: number
  onSuccess?: (output: Output, input: Input) => void
  onError?: (error: Error) => void
}

/**
 * An action on a record, such as a deletion. Everything whose key begins with `affected` is fetched
 * again afterwards, after a refusal too. A blank key means the whole cache.
 */
export function useAction<Input, Output>(
  affected: QueryKey,
  perform: (input: Input) => Promise<Output>,
  options: ActionOptions<Input, Output> = {},
) {
  const refresh = useRefresh(affected)
  return useMutation({ ...options, mutationFn: perform, onSettled: refresh })
}

/** Fetches everything again whose key begins with `affected`. */
export function useRefresh(affected: QueryKey) {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: affected })
}

const isNoForm = ({ queryKey }: { queryKey: QueryKey }) => queryKey[1] !== 'form'

/** Fetches again what the screen shows besides its form, such as who may call the endpoint that was saved. */
export function useRefreshScreen(): () => void {
  const client = useQueryClient()
  return useCallback(() => void client.invalidateQueries({ predicate: isNoForm }), [client])
}
