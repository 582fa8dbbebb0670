// Runs before everything else: a file of its own, because the Content-Security-Policy forbids inline scripts.
{
  // So that a dark page does not flash white.
  const chosen = localStorage.getItem('mantine-color-scheme-value')
  const isDark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')

  // What a user who is signed in will need: who that is, and the code of the screen. The build fills in
  // which files a path needs; while developing there are none.
  const { files, screens } = /* files of screens */ { files: [], screens: [] }
  const token = localStorage.getItem('authToken')
  if (token) {
    const url = '/api/auth'
    const headers = { Accept: 'application/json', Authorization: `Bearer ${token}` }
    const answer = fetch(url, { headers, cache: 'no-store' })
    // Who takes it handles its failure.
    answer.catch(() => undefined)
    globalThis.earlyAnswer = { url, token, answer }
    const needed = screens.find(([path]) => new RegExp(path).test(location.pathname))?.[1] ?? []
    for (const index of needed) {
      const link = document.createElement('link')
      link.href = files[index]
      if (files[index].endsWith('.css')) {
        link.rel = 'preload'
        link.as = 'style'
      } else {
        link.rel = 'modulepreload'
        link.crossOrigin = ''
      }
      document.head.append(link)
    }
  }
}
