import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const server = 'http://localhost:3000'

export default defineConfig({
  plugins: [react()],
  build: {
    target: 'es2022',
    // An asset inlined as a data: URL would be refused by the Content-Security-Policy.
    assetsInlineLimit: 0,
  },
  server: {
    proxy: {
      '/api': {
        target: server,
        // The login page lies under /api, but is a page of ours.
        bypass: (request) => (request.url?.startsWith('/api/login/react') ? '/index.html' : null),
      },
      '/admin/get-data': server,
    },
  },
})
