// Runs before everything else: a file of its own, because the Content-Security-Policy forbids inline scripts.
{
  // So that a dark page does not flash white.
  const chosen = localStorage.getItem('mantine-color-scheme-value')
  const isDark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')

  // The build fills in which files a path needs, and which files hold the Arabic texts: those of the login
  // page, and the others. While developing there is one of texts.
  const { files, screens, texts } = /* files of screens */ {
    files: [],
    screens: [],
    texts: ['/texts-ar.js'],
  }
  const token = localStorage.getItem('authToken')

  // The language that was chosen here, or the first one of the browser that there is. Its direction is set
  // before anything is painted; its texts run before the code that looks them up.
  const kept = localStorage.getItem('gatehouse-language')
  const languages = [kept, ...navigator.languages.map((tag) => tag.split('-')[0])]
  const language = languages.find((each) => each === 'en' || each === 'ar') ?? 'en'
  document.documentElement.lang = language
  if (language === 'ar') {
    document.documentElement.dir = 'rtl'
    const [first, more] = texts
    for (const src of token && more ? [first, more] : [first])
      document.write(`<script defer src="${src}"></script>`)
    if (!token) globalThis.gatehouseMoreTexts = more
  }

  // What a user who is signed in will need: who that is, the code of the screen, and what it shows first.
  if (token) {
    const headers = { Accept: 'application/json', Authorization: `Bearer ${token}` }
    const answers = new Map()
    const ask = (url) => {
      const answer = fetch(url, { headers, cache: 'no-store' })
      // Who takes it handles its failure.
      answer.catch(() => undefined)
      answers.set(url, answer)
    }
    globalThis.earlyAnswers = { token, answers }
    ask('/api/auth')
    const screen = screens.find(([path]) => new RegExp(path).test(location.pathname))
    const [, needed = [], asks = []] = screen ?? []
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
    // An address with a search or a page leads to other rows.
    if (location.search === '') asks.forEach(ask)
  }
}
