import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

/**
 * The queries and saves of one kind of record, under one name in the cache. `fetchPage` makes the
 * call for one page of its list.
 */
export function defineResource<ListQuery extends object, Page>(
  name: string,
  fetchPage: (query: ListQuery, signal: AbortSignal) => Promise<Page>,
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
     * keeps its content, and so its message, until the redirect.
     */
    useSave<Input, Output>(save: (input: Input) => Promise<Output>) {
      const client = useQueryClient()
      return async (input: Input): Promise<Output> => {
        const answer = await save(input)
        await client.invalidateQueries({
          queryKey: all,
          predicate: ({ queryKey }) => queryKey[1] !== 'form',
          refetchType: 'none',
        })
        return answer
      }
    },
    /** A deletion. Whatever is shown of the resource is fetched again, after a refusal too. */
    useRemove<Input, Output>(remove: (input: Input) => Promise<Output>) {
      const client = useQueryClient()
      return useMutation({
        mutationFn: remove,
        onSettled: () => client.invalidateQueries({ queryKey: all }),
      })
    },
  }
}
