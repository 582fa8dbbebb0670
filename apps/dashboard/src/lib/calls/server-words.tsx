import { createContext, use, useCallback, useMemo, useState } from 'react'
import { Outlet } from 'react-router'
import { loadSentences } from '../format/language.ts'
import { serverText } from './server-text.ts'

/** What shows a sentence is drawn again once the sentences are loaded. */
const Sentences = createContext({ isLoaded: false, want: () => {} })

/**
 * What the server says, in the language of the page. For what is drawn: the Arabic sentences are loaded
 * when the first one is shown, and what shows one is then drawn again.
 */
export function serverWords(text: string): string {
  // `use` may be called in conditions, loops and what cells of tables are drawn with.
  const { want } = use(Sentences)
  if (text !== '') want()
  return serverText(text)
}

/** Around every screen that shows what the server says. */
export function WithSentences() {
  const [isLoaded, setIsLoaded] = useState(false)
  const want = useCallback(() => {
    if (globalThis.gatehouseSentences === undefined) return
    void loadSentences().then(() => setIsLoaded(true))
  }, [])
  const value = useMemo(() => ({ isLoaded, want }), [isLoaded, want])
  return (
    <Sentences value={value}>
      <Outlet />
    </Sentences>
  )
}
