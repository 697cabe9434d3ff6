import type { AnswerOf } from "../api/routes.ts";
import { h, setText } from "./dom.ts";

/** The page's user; requests that change something send `csrf`. */
export type PageSession = AnswerOf<"GET /api/session">;

export async function sessionNow(): Promise<PageSession> {
  return (await fetch("/api/session")).json();
}

/** The session that there is, or that begins once somebody has logged in. */
export async function fetchSession(): Promise<PageSession> {
  const session = await sessionNow();
  return session.users && session.name === undefined ? logIn() : session;
}

function logIn(): Promise<PageSession> {
  const root = document.getElementById("app") as HTMLElement;
  return new Promise((done) => {
    const field = (id: string, type: string, autocomplete: string) => h("input", { id, type, autocomplete });
    const name = field("name", "text", "username");
    const password = field("password", "password", "current-password");
    const said = h("output", { "aria-live": "assertive" });
    const send = async () => {
      const body = JSON.stringify({ name: name.value, password: password.value });
      const headers = { "content-type": "application/json" };
      const response = await fetch("/api/session", { method: "POST", headers, body });
      const answer = await response.json();
      if (!response.ok) return setText(said, answer.error);
      root.replaceChildren();
      done(answer);
    };
    password.addEventListener("keydown", ({ key }) => key === "Enter" && send());
    root.replaceChildren(
      h(
        "main.connect",
        h("h1", "Motelearn"),
        h("p", h("label", { for: "name" }, "Name "), name),
        h("p", h("label", { for: "password" }, "Password "), password),
        h("button.main", { onclick: send }, "Log in"),
        said,
      ),
    );
    name.focus();
  });
}
