// Start of the pages: theme, session, router.
import '@fontsource-variable/inter/index.css'
import '@fontsource-variable/jetbrains-mono/index.css'
import '@mantine/core/styles.css'
import './style.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { begin, queries } from './api.ts'
import { firstRequests } from './first-requests.ts'
import { router } from './router.tsx'
import { wasIn } from './session.ts'
import { cssVariables, theme } from './theme.ts'

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''

// The library that stops the page behind a dialog from scrolling adds a style, and looks for the nonce under this name.
Object.assign(globalThis, { __webpack_nonce__: nonce })

// If nobody was signed in, only the session is needed, and the page requests that itself.
const first = firstRequests(location)
if (first !== null && wasIn(first.workspace)) for (const path of first.requests) begin(path)

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
