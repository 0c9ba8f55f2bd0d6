/** As much of React as the page of `mcpUi.ts` needs: its types are a package of their own. */
declare module "react" {
  export const createElement: (component: unknown, props: Readonly<Record<string, unknown>>) => unknown
}
declare module "react-dom/client" {
  export const createRoot: (place: Element) => { readonly render: (element: unknown) => void }
}
