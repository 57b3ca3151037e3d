// A peer for the load benchmark: the login and registration pages on Go's net/http, with its standard library only.
//
//	go-login PORT
//
// It listens on 127.0.0.1 and logs each request to standard error. GOMAXPROCS=1 is the counterpart of one event loop.
package main

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
	"unicode"
)

const (
	allowedFailures = 5
	lockout         = 15 * time.Minute
	idleLimit       = 30 * time.Minute
)

// The body of an event.
type event struct {
	Event  string            `json:"event"`
	Values map[string]string `json:"values"`
}

type command struct {
	Sequence int    `json:"sequence"`
	Page     string `json:"page"`
	Command  string `json:"command"`
	Name     string `json:"name,omitempty"`
	Key      string `json:"key,omitempty"`
	Value    any    `json:"value,omitempty"`
	Message  string `json:"message,omitempty"`
	Code     string `json:"code,omitempty"`
}

type fault struct {
	Message string `json:"message"`
	Code    string `json:"code"`
}

type answer struct {
	Sequence int       `json:"sequence"`
	OK       bool      `json:"ok"`
	Commands []command `json:"commands"`
	Errors   []fault   `json:"errors,omitempty"`
}

type session struct {
	sequence, failures    int
	lastFailure, lastUsed time.Time
	userID                string
}

var (
	lock     sync.Mutex
	sessions = map[string]*session{}
)

// null is encoded as such, although the member is left out if it is nil.
var null = json.RawMessage("null")

// respond numbers the commands and the response.
func (s *session) respond(faults []fault, commands ...command) answer {
	for i := range commands {
		s.sequence++
		commands[i].Sequence = s.sequence
	}
	return answer{Sequence: s.sequence, OK: len(faults) == 0, Commands: commands, Errors: faults}
}

func (s *session) login(values map[string]string) answer {
	if time.Since(s.lastFailure) >= lockout {
		s.failures = 0
	}
	if s.failures >= allowedFailures {
		alert := fault{"You have exceeded the maximum number of attempts, please try after sometime.", "login.tooManyAttempts"}
		return s.respond([]fault{alert}, command{Page: "login", Command: "showAlert", Message: alert.Message, Code: alert.Code})
	}
	if values["username"] != "batman" || values["password"] != "bruce" {
		s.failures++
		s.lastFailure = time.Now()
		wrong := fault{"Wrong username or password", "login.wrongCredentials"}
		return s.respond([]fault{wrong}, command{Page: "login", Command: "render", Key: "message", Value: wrong.Message, Code: wrong.Code})
	}
	s.failures = 0
	return s.respond(nil, command{Page: "login", Command: "goToPage", Name: "Home"})
}

func (s *session) register(values map[string]string) answer {
	userID := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, values["userID"])
	if len(userID) != 12 || strings.Trim(userID, "0123456789") != "" {
		invalid := fault{"Invalid user ID", "registration.invalidUserID"}
		return s.respond([]fault{invalid}, command{Page: "register", Command: "render", Key: "userID", Value: null},
			command{Page: "register", Command: "render", Key: "errorMessage", Value: invalid.Message, Code: invalid.Code})
	}
	s.userID = userID
	return s.respond(nil, command{Page: "register", Command: "render", Key: "userID", Value: userID},
		command{Page: "register", Command: "render", Key: "errorMessage", Value: null})
}

// page serves an event of the session that the bearer token names.
func page(handle func(*session, map[string]string) answer) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var posted event
		if err := json.NewDecoder(r.Body).Decode(&posted); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		lock.Lock()
		s := sessions[strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")]
		if s == nil || time.Since(s.lastUsed) >= idleLimit {
			lock.Unlock()
			http.Error(w, "unknown session", http.StatusUnauthorized)
			return
		}
		s.lastUsed = time.Now()
		result := handle(s, posted.Values)
		lock.Unlock()
		respond(w, http.StatusOK, result)
	}
}

func random() string {
	bytes := make([]byte, 16)
	if _, err := rand.Read(bytes); err != nil {
		log.Fatal(err)
	}
	return hex.EncodeToString(bytes)
}

func respond(w http.ResponseWriter, status int, result any) {
	body, err := json.Marshal(result)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	header := w.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	w.Write(body)
}

// logged writes a line for each request, as the package log does by default: one write each.
func logged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		id := random()
		w.Header().Set("X-Request-ID", id[:15])
		next.ServeHTTP(w, r)
		log.Printf("Request method=%s path=%s duration=%s request=%s", r.Method, r.URL.Path, time.Since(began), id[:15])
	})
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: go-login PORT")
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/livez", func(w http.ResponseWriter, r *http.Request) {})
	mux.HandleFunc("/session", func(w http.ResponseWriter, r *http.Request) {
		token := random()
		lock.Lock()
		sessions[token] = &session{lastUsed: time.Now()}
		lock.Unlock()
		respond(w, http.StatusCreated, map[string]string{"token": token})
	})
	mux.HandleFunc("/login", page((*session).login))
	mux.HandleFunc("/register", page((*session).register))
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Args[1], logged(mux)))
}
